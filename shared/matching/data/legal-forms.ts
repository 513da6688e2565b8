// Legal forms by country, as they stand in company names. Reference: ISO 20275, the list of entity legal forms.

/**
 * Format of a line: countries (ISO 3166-1, `*` for any), the position, and forms separated by `;`, each with its other
 * spellings after `=`. Position: `>` after the name, `<` before it, `<>` both. Case, accents, full stops, slashes and
 * blanks do not count. `?` marks a spelling that is also an ordinary word: it is a form only in its country, or if it
 * is written with full stops or slashes.
 */
export const LEGAL_FORMS = `
* > Inc=Incorporated=Incorporation; Corp=Corporation=Corpn; Co=Company; Ltd=Limited=Lmtd=Ltd Co; LLC=Limited Liability Company=Limited Liability Co=Ltd Liability Co
* > LLP=Limited Liability Partnership; LP=Limited Partnership; PLC=Public Limited Company; Co Ltd=Company Limited=Co Limited=Coy Ltd
* > SE=Societas Europaea; SCE=European Cooperative Society; EEIG=GEIE=EWIV=AEIE=EESV; AG; GmbH; KG; SA; SAS; SARL; BV; NV; AB; Oy; JSC=Joint Stock Company=Joint Stock Co=JSCo; PJSC=Public Joint Stock Company; OJSC=Open Joint Stock Company; CJSC=Closed Joint Stock Company
US > PLLC=Professional Limited Liability Company; LLLP; RLLP; ?PC=Professional Corporation=Prof Corp; ?PA=Professional Association; PBC=Public Benefit Corporation=Benefit Corporation; LLC=Ltd Liability Company; LLLP=Limited Liability Limited Partnership; Professional Service Corporation; Ltd Partnership; ?LC; L3C; Chtd=Chartered; ?NA=National Association; ?GP; ?PSC; Unltd
CA > Inc=Incorporée; Ltée=Limitée; ULC=Unlimited Liability Company; SENC; SENCRL; ?SEC; Coop
GB,IE,GI,IM,JE,GG > CIC=Community Interest Company; CIO; Unltd=Unlimited; UC=Unlimited Company; CLG=Company Limited by Guarantee; DAC=Designated Activity Company; PUC; ICAV; ILP; PCC; Teo=Teoranta; Cyf=Cyfyngedig; CBG
AU,NZ,ZA,NA,BW,ZW,SZ,LS,ZM,MW,TV,PG,FJ > Pty Ltd=Proprietary Limited=Pty Limited=Proprietary Ltd=?PL; Pty=Proprietary; ?NL=No Liability; ?CC=Close Corporation; NPC=Non Profit Company; ?SOC; ?RF
IN,PK,BD,LK,NP,BT,MV > Pvt Ltd=Private Limited=Pvt Limited=Private Ltd=P Ltd=P Limited=Pte Limited=Pvt Co Ltd=Pvt Co=Pvt; ?OPC=One Person Company; SMC; Section 8 Company; प्राइवेट लिमिटेड=प्रा लि; लिमिटेड; লিমিটেড=লি; প্রাইভেট লিমিটেড; லிமிடெட்; பிரைவேட் லிமிடெட்; లిమిటెడ్; ಲಿಮಿಟೆಡ್; લિમિટેડ; ലിമിറ്റഡ്; ਲਿਮਿਟੇਡ; लि
SG,MY,BN > Pte Ltd=Private Limited=Pte Limited=Private Ltd=Pte; Sdn Bhd=Sendirian Berhad=Sdn Berhad; Bhd=Berhad; PLT=Perkongsian Liabiliti Terhad
HK,MO,TW,CN,JP,KR,TH,VN,PH,KH,LA,MM > Co Ltd=Company Limited=Corp Ltd=Co Ltd Inc; ?OPC; PCL=Public Company Limited=Public Co Ltd; JSC=Joint Stock Corporation
DE,AT,CH,LI,IT,LU,BE > GmbH=Gesellschaft mit beschränkter Haftung=GesmbH=mbH=Gesellschaft mbH=GmbH iG=GmbH in Gründung; gGmbH=gemeinnützige GmbH; AG=Aktiengesellschaft; gAG; KG=Kommanditgesellschaft; KGaA=Kommanditgesellschaft auf Aktien; OHG=Offene Handelsgesellschaft; OG=Offene Gesellschaft; UG=Unternehmergesellschaft=UG haftungsbeschränkt=Unternehmergesellschaft haftungsbeschränkt; GbR=Gesellschaft bürgerlichen Rechts=GesbR; eK=e Kfm=e Kfr=e Kffr=e Kauffrau=eingetragener Kaufmann; ?eU=eingetragener Unternehmer; ?eG=eingetragene Genossenschaft=eGen=Genossenschaft; ?eV=eingetragener Verein; PartG=Partnerschaft=PartGmbB=Partnerschaftsgesellschaft; VVaG; KEG; OEG; stG; EWIV; KöR; AöR
FR,BE,LU,CH,MC,CA,MA,TN,DZ,SN,CI,CM,GA,ML,BF,TG,BJ,NE,CD,CG,MG,MU,GP,MQ,RE,GF <> SARL=Société à responsabilité limitée=Sàrl AU=SARLU=SUARL; EURL; SAS=Société par actions simplifiée; SASU; SA=Société anonyme; SCA=Société en commandite par actions; SCS=Société en commandite simple; SNC=Société en nom collectif; SCI=Société civile immobilière; SCP; SCM; SELARL; SELAS; GIE=Groupement d’intérêt économique; SCOP=Société coopérative; GAEC; ?EARL; ?SEM; ?EI=EIRL; Ets=Établissements=Etablissement
FR,MC > SCEA; SCIC; SELURL; GFA; SASP; SAM; Cie=Compagnie=et Cie=and Cie
KY,VG,VC,KN,SC,BS,BZ,PA > IBC; SPC; LDC; ELP; SEZC; Unltd
AW,CW,SX > AVV; VBA
DZ,MA,TN > ?SpA=Société par actions
BE,LU > SRL; SPRL; SCRL; ?SC; ASBL; AISBL; SComm; SCSp; SICAV; SICAF; SECA; SECS; SEPCAV; FCP; SàrlS; Comm V=CommVA; CVBA=CVBA SO; VZW; BVBA=Besloten vennootschap met beperkte aansprakelijkheid; EBVBA; VOF
NL,BE,SR,AW,CW,SX,BQ <> BV=Besloten vennootschap=BV io; NV=Naamloze vennootschap; VOF=Vennootschap onder firma; ?CV=Commanditaire vennootschap; Coöperatie; Coöperatie UA=Coöperatief UA=?UA; Stichting
CH,IT,SM <> Sagl=Società a garanzia limitata
IT,SM > ?SpA=Società per azioni; Srl=Società a responsabilità limitata; Srls=Srl semplificata; Srl unipersonale=Srlu; Sas=Società in accomandita semplice; Snc=Società in nome collettivo; Sapa=Società in accomandita per azioni; Scarl=Scrl=Società consortile a responsabilità limitata=Soc Cons arl; Soc Coop=Società cooperativa=Soc Coop arl=Società cooperativa sociale=Soc Coop Soc=SCS; ?SS=Società semplice; Onlus; ?ETS; ?SB=Società benefit; and C=e C=ed C
IT < Soc Coop=Società cooperativa; Ditta
ES > SL=Sociedad limitada=Sociedad de responsabilidad limitada; SLU=SL unipersonal=Sociedad limitada unipersonal; SLNE; SLL=Sociedad limitada laboral; SLP; SA=Sociedad anónima; SAU=Sociedad anónima unipersonal; ?SAL; ?SAD; S Coop=Sociedad cooperativa=SCL; ?SC=Sociedad civil; ?CB=Comunidad de bienes; AIE; SGR; SICAV; SRL; SRLL; SRLP; SCP; SAT; SAP; S Com; S en C; SCR; y Cía=and Cía
PT,AO,MZ,CV,ST,GW,TL > Lda=Limitada=Unipessoal Lda=Unip Lda=Unipessoal Limitada=Sociedade unipessoal Lda; SA=Sociedade anónima; SGPS; SGPS SA; CRL; EPE; ?ACE; SARL
BR > Ltda=Limitada=Sociedade limitada; SA=Sociedade anônima; Eireli; SLU; ?ME=Microempresa; EPP; MEI; ?SS=Sociedade simples; SCP; Cia=Companhia; Coop; Ind e Com=Indústria e Comércio=Com e Ind=Comércio e Indústria=Indústria e Com
BR < Cia=Companhia
MX,GT,HN,SV,NI,CR,PA,DO > SA de CV=Sociedad anónima de capital variable; SAB de CV; SAPI de CV; SAPIB de CV; S de RL de CV; S de RL=Sociedad de responsabilidad limitada; ?SC=Sociedad civil; SC de RL de CV; SC de RL; S en C; S en C de CV; S en C por A; SPR de RL de CV; SCL de CV; ?AC=Asociación civil; SAS de CV; SPR de RL; SOFOM ENR=SOFOM ER=SOFOM; SA de CV SOFOM ENR; SAB; SAPI
AR,BO,CL,CO,CR,DO,EC,GT,HN,MX,NI,PA,PE,PR,PY,SV,UY,VE,CU > SA=Sociedad anónima; SRL=Sociedad de responsabilidad limitada=S de RL; Ltda=Limitada; SAS=Sociedad por acciones simplificada; SAU; ?SAC=Sociedad anónima cerrada; ?SAA=Sociedad anónima abierta; EIRL=Empresa individual de responsabilidad limitada=EIRLtda; ?CA=Compañía anónima; Cía Ltda=Compañía limitada; Cía=Compañía; ?EU; SCA; SCS; SACI; SACIF; SACIFI; SAIC; SAICF; SAECA; SAE; SCRL; ?ESP; SApI; S Coop=Soc Coop; SCpA; ?SpA=Sociedad por acciones
DK,GL,FO > ?A/S=Aktieselskab=Aktieselskabet; ApS=Anpartsselskab; ?I/S=Interessentskab; ?K/S=Kommanditselskab; ?P/S=Partnerselskab; IVS=Iværksætterselskab; SMBA; AMBA=Andelsselskab; FMBA; PMBA; ?P/F; ?Sp/f; Fond
DK < A/S=Aktieselskabet; I/S
NO > ?AS=Aksjeselskap; ASA=Allmennaksjeselskap; ?ANS; ?DA; ENK; NUF; SA=Samvirkeforetak; ?BA; ?KS; IKS; ?KF; FKF; BBL; BRL; ?SF; ?SPA
NO < AS=Aksjeselskapet
SE,FI,AX <> AB=Aktiebolag=Aktiebolaget; ?HB=Handelsbolag; ?KB=Kommanditbolag; Ek för=Ekonomisk förening; Ab Oy
SE > AB publ; ?publ; EF; BRF
FI,AX <> Oy=Osakeyhtiö; Oyj=Julkinen osakeyhtiö; Abp; Oy Ab; Oyj Abp; ?Ky=Kommandiittiyhtiö; ?Ay=Avoin yhtiö; Tmi=Toiminimi; ?Osk=Osuuskunta; ?ry; ?sr
IS > ehf=einkahlutafélag; ?hf=hlutafélag; slf; ohf; ?sf; slhf; ses
EE <> ?OÜ=Osaühing; ?AS=Aktsiaselts; ?MTÜ=Mittetulundusühing; ?UÜ=Usaldusühing; ?TÜ=Täisühing; FIE; SA=Sihtasutus; TÜH
LV <> SIA=Sabiedrība ar ierobežotu atbildību; ?AS=Akciju sabiedrība; ?IK; ?PS; ?KS; ?ZS; ?VAS; VSIA; PSIA
LT <> UAB=Uždaroji akcinė bendrovė; AB=Akcinė bendrovė; ?MB=Mažoji bendrija; Individuali įmonė; ?VšĮ=Viešoji įstaiga; ?TŪB; ?KŪB; ?ŽŪB
PL > sp z oo=Spółka z ograniczoną odpowiedzialnością=Spółka z oo; SA=Spółka akcyjna; sp k=Spółka komandytowa; sp j=Spółka jawna=?sj; sp p=Spółka partnerska; ?sc=Spółka cywilna; ?PSA=Prosta spółka akcyjna; ?SKA=Spółka komandytowo akcyjna; Spółdzielnia
PL < PHU=Przedsiębiorstwo Handlowo Usługowe; PPHU=Przedsiębiorstwo Produkcyjno Handlowo Usługowe; FHU=Firma Handlowo Usługowa; FPHU; PUH; ZPUH; PPUH; Spółdzielnia
CZ,SK > sro=spol s ro=společnost s ručením omezeným=spoločnosť s ručením obmedzeným; ?as=akciová společnost=akciová spoločnosť=akc spol; ?vos=veřejná obchodní společnost=verejná obchodná spoločnosť=ver obch spol; ?ks=komanditní společnost=komanditná spoločnosť=kom spol; ?zs=zapsaný spolek; ?ops; ?sp=státní podnik; štátny podnik; družstvo; ?jsa; OSVČ; zú
HU > Kft=Korlátolt felelősségű társaság=Korlátolt felelősségű; Nonprofit Kft; Zrt=Zártkörűen működő részvénytársaság; Nyrt=Nyilvánosan működő részvénytársaság; ?Rt=Részvénytársaság; ?Bt=Betéti társaság; Kkt=Közkereseti társaság; ?Ev; Szövetkezet; Kht
RO,MD > SRL=Societate cu răspundere limitată; SRL D; SA=Societate pe acțiuni; SNC; SCS; SCA; ?PFA; ?RA; ?ÎM; ?ÎCS
RO,MD < ?SC=Societatea comercială; ?ÎM; ?ÎCS; SRL; PFA
BG <> ООД=Дружество с ограничена отговорност; ЕООД=Еднолично дружество с ограничена отговорност; АД=Акционерно дружество; ЕАД=Еднолично акционерно дружество; ЕТ=Едноличен търговец; СД; КД; КДА; АДСИЦ
BG > OOD; EOOD; ?AD; ?EAD; ?ET; ?SD; ?KD; KDA; DZZD; ADSIC
BG < ET
HR,SI,RS,BA,ME,MK,XK > doo=društvo s ograničenom odgovornošću=društvo sa ograničenom odgovornošću=družba z omejeno odgovornostjo; jdoo; ?dd=dioničko društvo=delniška družba; ?ad=akcionarsko društvo; ?kd=komanditno društvo; ?jtd; ?dno; ?sp; ?od; ?zoo; dooel; ?szr; ?str; obrt; доо=друштво са ограниченом одговорношћу; ад=акционарско друштво; кд; од; дооел; пр; сзр; ?др
RS,ME,BA,MK < ад=акционарско друштво; доо=друштво са ограниченом одговорношћу; DOO; AD; ?JP; ЈП; ?SZR
AL,XK > Shpk=Shoqëri me përgjegjësi të kufizuar; ?Sha=Shoqëri aksionare; NSH
AL,XK < Shoqëria
GR,CY > ΑΕ=Ανώνυμη Εταιρεία=Ανώνυμη Εταιρία; ΕΠΕ=Εταιρεία Περιορισμένης Ευθύνης=Εταιρία Περιορισμένης Ευθύνης; ΙΚΕ=Ιδιωτική Κεφαλαιουχική Εταιρεία; ΟΕ=Ομόρρυθμη Εταιρεία; ΕΕ=Ετερόρρυθμη Εταιρεία; ΑΒΕΕ; ΑΕΒΕ; ΑΤΕ; ΑΒΕΤΕ; Μονοπρόσωπη ΙΚΕ; Μονοπρόσωπη ΑΕ; Μονοπρόσωπη ΕΠΕ=Μ ΕΠΕ; ΜΙΚΕ; Λτδ=Λίμιτεδ; ?AE=Anonymi Etaireia; EPE; ?IKE=PCC=?PC; ?OE; ?EE; ABEE; AEBE; SMSA=Single Member SA; SMPC
RU,BY,KZ,KG,UZ,TJ,TM,AM,AZ,GE,MD,UA <> ООО=Общество с ограниченной ответственностью; ОАО=Открытое акционерное общество; ЗАО=Закрытое акционерное общество; ПАО=Публичное акционерное общество; АО=Акционерное общество; НАО=Непубличное акционерное общество; ИП=Индивидуальный предприниматель; ФГУП; ГУП; МУП; ?АНО; НКО; ОДО; ЧУП; УП; РУП; КФХ; СПК; ТОО=Товарищество с ограниченной ответственностью; ОсОО; ЖШС; АҚ; ТДК
RU,BY,KZ,KG,UZ,TJ,TM,AM,AZ,GE,MD <> OOO=Obschestvo s ogranichennoy otvetstvennostyu; OAO; ZAO; PAO; ?AO; ?NAO; ?IP; ?TOO; LLC=Limited Liability Company; JSC=Joint Stock Company; PJSC=Public Joint Stock Company; OJSC=Open Joint Stock Company; CJSC=Closed Joint Stock Company; LLP; FSUE
UA <> ТОВ=Товариство з обмеженою відповідальністю; ТзОВ; ПАТ=Публічне акціонерне товариство; ПрАТ=Приватне акціонерне товариство; АТ=Акціонерне товариство; ПП=Приватне підприємство; ФОП=Фізична особа підприємець; ДП; КП; СП; НВП; ТДВ; ВАТ; ЗАТ; TOV; ?PAT; ?PrAT; ?AT; ?PP; FOP; LLC=Limited Liability Company; JSC=Joint Stock Company; PJSC=Public Joint Stock Company; PrJSC=Private Joint Stock Company; ?PE=Private Enterprise; SE=State Enterprise
BY <> ТАА; ААТ; ЗАТ; Таварыства з абмежаванай адказнасцю
AZ > MMC=Məhdud Məsuliyyətli Cəmiyyət; ?ASC=Açıq Səhmdar Cəmiyyəti; QSC
UZ,KZ <> MChJ; ?XK; ?AJ; ?AK; ЖШҚ; МЧЖ; ХК; АЖ; ?QK
GE <> შპს=შეზღუდული პასუხისმგებლობის საზოგადოება; სს=სააქციო საზოგადოება
AM <> ՍՊԸ=Սահմանափակ Պատասխանատվությամբ Ընկերություն; ՓԲԸ; ԲԲԸ; ԱՁ
MN > ХХК=Хязгаарлагдмал хариуцлагатай компани; ХК; LLC; ТӨХК
TR,CY > ?AŞ=Anonim Şirketi=Anonim Şirket=Anonim Ortaklığı=?AO; Ltd Şti=Limited Şirketi=Limited Şti=Ltd Şirketi=Ltd; ?TAŞ=Türk Anonim Şirketi; Koll Şti=Kollektif Şirketi; Kom Şti=Komandit Şirketi; Koop=Kooperatifi; San Tic=San ve Tic=Sanayi ve Ticaret=Sanayi Ticaret=San ve Ticaret=Tic ve San=Ticaret ve Sanayi=Tic San; Ticaret=Tic; Sanayi=?San; Dış Tic=Dış Ticaret=İç ve Dış Tic=İç ve Dış Ticaret; Paz=Pazarlama; İth İhr=İthalat İhracat
SA,AE,EG,JO,KW,QA,BH,OM,LB,IQ,SY,YE,LY,SD,PS,MA,DZ,TN,MR <> شركة=الشركة=شركه; ذمم=شركة ذات مسؤولية محدودة=ذات مسؤولية محدودة=ذات المسؤولية المحدودة; شمم; شذمم; شمل; شمع=المساهمة العامة=مساهمة عامة; شمخ; شمك; شمكع; شمق; شمب; شم; مساهمة=شركة مساهمة=شركة مساهمة عامة; المحدودة=محدودة=المحدوده; مؤسسة=موسسه
SA,AE,EG,JO,KW,QA,BH,OM,LB,IQ,SY,YE,LY,SD,PS > LLC; WLL=With Limited Liability; ?PSC; PJSC; ?KSC=KSCC=KSCP; QSC=QPSC; ?BSC=BSC Closed=BSC c; SAOG; SAOC; ?SPC; ?SAL; SARL; SAE; FZE=Free Zone Establishment; FZCO=Free Zone Company; FZ LLC; ?FZC; ?DMCC; DWC LLC=DWC; ?Est=Establishment; LLC FZ; SPC Ltd; Sole Proprietorship; LLC SPC; SPCLLC; SASO; CJSC
SA,AE,EG,JO,KW,QA,BH,OM,LB,IQ < Al Sharika=Sharikat
IL > בעמ=בעם; Ltd; LP; שותפות מוגבלת; עמותה; ער; חלצ
IL < חברת=חברה
IR,AF <> شرکت=شركت; سهامی عام=سهامی; سهامی خاص; با مسئولیت محدود; مؤسسه
JP <> 株式会社=株式會社=㈱; 有限会社=㈲; 合同会社; 合資会社; 合名会社; 一般社団法人; 一般財団法人; 公益社団法人; 公益財団法人; 医療法人社団; 医療法人財団; 医療法人; 学校法人; 社会福祉法人; 特定非営利活動法人; NPO法人; 独立行政法人; 国立大学法人; 宗教法人; 協同組合
JP > ?KK=Kabushiki Kaisha=Kabushiki Gaisha; ?GK=Godo Kaisha=Godo Gaisha; ?YK=Yugen Kaisha=Yugen Gaisha
JP < KK=Kabushiki Kaisha=Kabushiki Gaisha; Yugen Kaisha; Godo Kaisha
CN,HK,TW,MO,SG > 有限公司; 有限责任公司=有限責任公司; 股份有限公司; 股份公司; 集团有限公司=集團有限公司; 集团股份有限公司=集團股份有限公司; 无限公司=無限公司; 两合公司=兩合公司; 有限合伙=有限合夥; 合伙企业=合夥企業; 个人独资企业; 公司; 私人有限公司
KR <> 주식회사=㈜; 유한회사; 유한책임회사; 합자회사; 합명회사; 사단법인; 재단법인; 의료법인; 학교법인; 농업회사법인; 영농조합법인; 협동조합; 사회적협동조합
TH <> จำกัด=บริษัท=บริษัทจำกัด=บจก=บจ; มหาชน=จำกัด มหาชน=บริษัทมหาชนจำกัด=บมจ; ห้างหุ้นส่วนจำกัด=หจก; ห้างหุ้นส่วนสามัญ=ห้างหุ้นส่วน=หสน
LA,KH <> ບໍລິສັດ; ຈຳກັດ
VN <> TNHH=Công ty TNHH=Công ty Trách nhiệm hữu hạn=Cty TNHH=CT TNHH=Công ty TNHH MTV=Công ty TNHH Một thành viên=Công ty Trách nhiệm hữu hạn Một thành viên=TNHH MTV=TNHH Một thành viên=Công ty TNHH Hai thành viên; CTCP=Công ty Cổ phần=Cty Cổ phần=Công ty CP=Cty CP=?CP=Cổ phần=Tổng Công ty Cổ phần; Công ty=Cty=Tổng Công ty; MTV=Một thành viên; DNTN=Doanh nghiệp tư nhân; Hợp tác xã=HTX; Công ty hợp danh
ID <> ?PT=Perseroan Terbatas; ?CV=Commanditaire Vennootschap; ?UD=Usaha Dagang; ?PD; ?Fa=Firma; Koperasi; Perum; Yayasan; NV
ID > Tbk=Terbuka; Persero; ?Tbk PT
PH > Inc; Corp; Co
KE,TZ,UG,NG,GH,ET,RW > Ltd=Limited; PLC; ?RC; LBG; Share Company=?SC; PLC Private Limited Company=Private Limited Company; እኃተቁ; ኃላፊነቱ የተወሰነ የግል ማህበር=ኃ የተ የግ ማ; አክሲዮን ማህበር
LI > ?Anstalt; Trust reg
MT > Ltd=Limitata`;

/** Forms that stand in brackets at any place, such as `（株）` and `(Pty)`. */
export const BRACKETED_FORMS =
  '株 有 同 資 名 合 주 유 합 사 재 p pty pvt private proprietary publ persero มหาชน haftungsbeschrankt pte';
