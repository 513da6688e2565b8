// Countries: ISO codes, spellings in records, and aliases that people type.

/** Line format: both ISO 3166-1 codes (`AD`, `AND`), spellings in records separated by `|`, then `=` and aliases separated by `;`. */
const TABLE = `ADAND Andorra
AEARE United Arab Emirates=Emirates
AFAFG Afghanistan
AGATG Antigua and Barbuda
AIAIA Anguilla
ALALB Albania
AMARM Armenia
AOAGO Angola
AQATA Antarctica
ARARG Argentina
ASASM American Samoa
ATAUT Austria=Österreich
AUAUS Australia
AWABW Aruba
AXALA Åland Islands|Aland Islands
AZAZE Azerbaijan
BABIH Bosnia and Herzegovina=Bosnia
BBBRB Barbados
BDBGD Bangladesh
BEBEL Belgium
BFBFA Burkina Faso
BGBGR Bulgaria
BHBHR Bahrain
BIBDI Burundi
BJBEN Benin
BLBLM Saint Barthélemy
BMBMU Bermuda
BNBRN Brunei|Brunei Darussalam
BOBOL Bolivia|Bolivia, Plurinational State of
BQBES Bonaire, Sint Eustatius and Saba
BRBRA Brazil=Brasil
BSBHS Bahamas|The Bahamas
BTBTN Bhutan
BVBVT Bouvet Island
BWBWA Botswana
BYBLR Belarus
BZBLZ Belize
CACAN Canada
CCCCK Cocos (Keeling) Islands
CDCOD Democratic Republic of the Congo|Congo, Democratic Republic of the=DR Congo;DRC
CFCAF Central African Republic
CGCOG Republic of the Congo|Congo
CHCHE Switzerland=Schweiz;Suisse
CICIV Côte d'Ivoire|Cote d'Ivoire|Ivory Coast
CKCOK Cook Islands
CLCHL Chile
CMCMR Cameroon
CNCHN China|People's Republic of China=PRC
COCOL Colombia
CRCRI Costa Rica
CUCUB Cuba
CVCPV Cape Verde|Cabo Verde
CWCUW Curaçao
CXCXR Christmas Island
CYCYP Cyprus
CZCZE Czech Republic|Czechia
DEDEU Germany=Deutschland
DJDJI Djibouti
DKDNK Denmark
DMDMA Dominica
DODOM Dominican Republic
DZDZA Algeria
ECECU Ecuador
EEEST Estonia
EGEGY Egypt
EHESH Western Sahara
ERERI Eritrea
ESESP Spain=España
ETETH Ethiopia
FIFIN Finland
FJFJI Fiji
FKFLK Falkland Islands|Falkland Islands (Malvinas)
FMFSM Micronesia|Micronesia, Federated States of
FOFRO Faroe Islands
FRFRA France
GAGAB Gabon
GBGBR United Kingdom=UK;Great Britain;Britain
GDGRD Grenada
GEGEO Georgia
GFGUF French Guiana
GGGGY Guernsey
GHGHA Ghana
GIGIB Gibraltar
GLGRL Greenland
GMGMB Gambia|The Gambia|Republic of The Gambia
GNGIN Guinea
GPGLP Guadeloupe
GQGNQ Equatorial Guinea
GRGRC Greece
GSSGS South Georgia and the South Sandwich Islands
GTGTM Guatemala
GUGUM Guam
GWGNB Guinea-Bissau
GYGUY Guyana
HKHKG Hong Kong|Hong Kong SAR
HMHMD Heard Island and McDonald Islands
HNHND Honduras
HRHRV Croatia
HTHTI Haiti
HUHUN Hungary
IDIDN Indonesia
IEIRL Ireland
ILISR Israel
IMIMN Isle of Man
ININD India
IOIOT British Indian Ocean Territory
IQIRQ Iraq
IRIRN Iran|Islamic Republic of Iran
ISISL Iceland
ITITA Italy=Italia
JEJEY Jersey
JMJAM Jamaica
JOJOR Jordan
JPJPN Japan
KEKEN Kenya
KGKGZ Kyrgyzstan
KHKHM Cambodia
KIKIR Kiribati
KMCOM Comoros
KNKNA Saint Kitts and Nevis
KPPRK North Korea
KRKOR South Korea|Korea, Republic of|Republic of Korea=Korea
KWKWT Kuwait
KYCYM Cayman Islands
KZKAZ Kazakhstan
LALAO Laos|Lao People's Democratic Republic
LBLBN Lebanon
LCLCA Saint Lucia
LILIE Liechtenstein
LKLKA Sri Lanka
LRLBR Liberia
LSLSO Lesotho
LTLTU Lithuania
LULUX Luxembourg
LVLVA Latvia
LYLBY Libya
MAMAR Morocco
MCMCO Monaco
MDMDA Moldova|Moldova, Republic of
MEMNE Montenegro
MFMAF Saint Martin|Saint Martin (French part)
MGMDG Madagascar
MHMHL Marshall Islands
MKMKD North Macedonia|The Republic of North Macedonia=Macedonia
MLMLI Mali
MMMMR Myanmar=Burma
MNMNG Mongolia
MOMAC Macao|Macau
MPMNP Northern Mariana Islands
MQMTQ Martinique
MRMRT Mauritania
MSMSR Montserrat
MTMLT Malta
MUMUS Mauritius
MVMDV Maldives
MWMWI Malawi
MXMEX Mexico
MYMYS Malaysia
MZMOZ Mozambique
NANAM Namibia
NCNCL New Caledonia
NENER Niger
NFNFK Norfolk Island
NGNGA Nigeria
NINIC Nicaragua
NLNLD Netherlands|The Netherlands=Holland;Nederland
NONOR Norway
NPNPL Nepal
NRNRU Nauru
NUNIU Niue
NZNZL New Zealand
OMOMN Oman
PAPAN Panama
PEPER Peru
PFPYF French Polynesia
PGPNG Papua New Guinea
PHPHL Philippines|The Philippines
PKPAK Pakistan
PLPOL Poland=Polska
PMSPM Saint Pierre and Miquelon
PNPCN Pitcairn|Pitcairn Islands
PRPRI Puerto Rico
PSPSE Palestine|State of Palestine
PTPRT Portugal
PWPLW Palau
PYPRY Paraguay
QAQAT Qatar
REREU Réunion|Reunion
ROROU Romania
RSSRB Serbia
RURUS Russia|Russian Federation
RWRWA Rwanda
SASAU Saudi Arabia
SBSLB Solomon Islands
SCSYC Seychelles
SDSDN Sudan
SESWE Sweden=Sverige
SGSGP Singapore
SHSHN Saint Helena
SISVN Slovenia
SJSJM Svalbard and Jan Mayen
SKSVK Slovakia
SLSLE Sierra Leone
SMSMR San Marino
SNSEN Senegal
SOSOM Somalia
SRSUR Suriname
SSSSD South Sudan
STSTP Sao Tome and Principe
SVSLV El Salvador
SXSXM Sint Maarten|Sint Maarten (Dutch part)
SYSYR Syria|Syrian Arab Republic
SZSWZ Eswatini=Swaziland
TCTCA Turks and Caicos Islands
TDTCD Chad
TFATF French Southern Territories
TGTGO Togo
THTHA Thailand
TJTJK Tajikistan
TKTKL Tokelau
TLTLS Timor-Leste=East Timor
TMTKM Turkmenistan
TNTUN Tunisia
TOTON Tonga
TRTUR Turkey|Türkiye
TTTTO Trinidad and Tobago
TVTUV Tuvalu
TWTWN Taiwan|Taiwan, Province of China
TZTZA Tanzania|United Republic of Tanzania
UAUKR Ukraine
UGUGA Uganda
UMUMI United States Minor Outlying Islands
USUSA United States|United States of America=America
UYURY Uruguay
UZUZB Uzbekistan
VAVAT Vatican City|Holy See (Vatican City State)=Vatican;Holy See
VCVCT Saint Vincent and the Grenadines
VEVEN Venezuela|Venezuela, Bolivarian Republic of
VGVGB British Virgin Islands|Virgin Islands, British
VIVIR U.S. Virgin Islands|Virgin Islands, U.S.
VNVNM Vietnam|Viet Nam
VUVUT Vanuatu
WFWLF Wallis and Futuna
WSWSM Samoa
XKXKK Kosovo
YEYEM Yemen
YTMYT Mayotte
ZAZAF South Africa
ZMZMB Zambia
ZWZWE Zimbabwe`;

/** A country. */
export interface Country {
  iso2: string;
  iso3: string;
  /** The names that records may have, the usual one first. */
  names: readonly string[];
  /** Other names that people type. */
  aliases: readonly string[];
}

/** Every country of ISO 3166-1, and Kosovo. */
export const countries: readonly Country[] = /* @__PURE__ */ TABLE.split('\n').map((line) => {
  const [names = '', aliases = ''] = line.slice(6).split('=');
  return {
    iso2: line.slice(0, 2),
    iso3: line.slice(2, 5),
    names: names.split('|'),
    aliases: aliases === '' ? [] : aliases.split(';'),
  };
});
