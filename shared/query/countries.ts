// Countries: ISO codes, spellings in records, and aliases that people type.

/**
 * Line format: both ISO 3166-1 codes (`AD`, `AND`), spellings in records separated by `|`, then `=` and aliases
 * separated by `;`. Countries with most companies and people come first, the others by name: forms list them in this
 * order.
 */
const TABLE = `USUSA United States|United States of America=America
ININD India
GBGBR United Kingdom=UK;Great Britain;Britain
BRBRA Brazil=Brasil
FRFRA France
DEDEU Germany=Deutschland
CACAN Canada
ESESP Spain=España
ITITA Italy=Italia
NLNLD Netherlands|The Netherlands=Holland;Nederland
AUAUS Australia
MXMEX Mexico
CNCHN China|People's Republic of China=PRC
JPJPN Japan
TRTUR Turkey|Türkiye
PLPOL Poland=Polska
SESWE Sweden=Sverige
CHCHE Switzerland=Schweiz;Suisse
BEBEL Belgium
AEARE United Arab Emirates=Emirates
ARARG Argentina
COCOL Colombia
ZAZAF South Africa
IDIDN Indonesia
PTPRT Portugal
DKDNK Denmark
NONOR Norway
IEIRL Ireland
SGSGP Singapore
ILISR Israel
ATAUT Austria=Österreich
FIFIN Finland
KRKOR South Korea|Korea, Republic of|Republic of Korea=Korea
CZCZE Czech Republic|Czechia
UAUKR Ukraine
NZNZL New Zealand
ROROU Romania
GRGRC Greece
SASAU Saudi Arabia
EGEGY Egypt
NGNGA Nigeria
PHPHL Philippines|The Philippines
MYMYS Malaysia
VNVNM Vietnam|Viet Nam
THTHA Thailand
HKHKG Hong Kong|Hong Kong SAR
PKPAK Pakistan
CLCHL Chile
PEPER Peru
HUHUN Hungary
AFAFG Afghanistan
AXALA Åland Islands|Aland Islands
ALALB Albania
DZDZA Algeria
ASASM American Samoa
ADAND Andorra
AOAGO Angola
AIAIA Anguilla
AQATA Antarctica
AGATG Antigua and Barbuda
AMARM Armenia
AWABW Aruba
AZAZE Azerbaijan
BSBHS Bahamas|The Bahamas
BHBHR Bahrain
BDBGD Bangladesh
BBBRB Barbados
BYBLR Belarus
BZBLZ Belize
BJBEN Benin
BMBMU Bermuda
BTBTN Bhutan
BOBOL Bolivia|Bolivia, Plurinational State of
BQBES Bonaire, Sint Eustatius and Saba
BABIH Bosnia and Herzegovina=Bosnia
BWBWA Botswana
BVBVT Bouvet Island
IOIOT British Indian Ocean Territory
VGVGB British Virgin Islands|Virgin Islands, British
BNBRN Brunei|Brunei Darussalam
BGBGR Bulgaria
BFBFA Burkina Faso
BIBDI Burundi
KHKHM Cambodia
CMCMR Cameroon
CVCPV Cape Verde|Cabo Verde
KYCYM Cayman Islands
CFCAF Central African Republic
TDTCD Chad
CXCXR Christmas Island
CCCCK Cocos (Keeling) Islands
KMCOM Comoros
CKCOK Cook Islands
CRCRI Costa Rica
CICIV Côte d'Ivoire|Cote d'Ivoire|Ivory Coast
HRHRV Croatia
CUCUB Cuba
CWCUW Curaçao
CYCYP Cyprus
CDCOD Democratic Republic of the Congo|Congo, Democratic Republic of the=DR Congo;DRC
DJDJI Djibouti
DMDMA Dominica
DODOM Dominican Republic
ECECU Ecuador
SVSLV El Salvador
GQGNQ Equatorial Guinea
ERERI Eritrea
EEEST Estonia
SZSWZ Eswatini=Swaziland
ETETH Ethiopia
FKFLK Falkland Islands|Falkland Islands (Malvinas)
FOFRO Faroe Islands
FJFJI Fiji
GFGUF French Guiana
PFPYF French Polynesia
TFATF French Southern Territories
GAGAB Gabon
GMGMB Gambia|The Gambia|Republic of The Gambia
GEGEO Georgia
GHGHA Ghana
GIGIB Gibraltar
GLGRL Greenland
GDGRD Grenada
GPGLP Guadeloupe
GUGUM Guam
GTGTM Guatemala
GGGGY Guernsey
GNGIN Guinea
GWGNB Guinea-Bissau
GYGUY Guyana
HTHTI Haiti
HMHMD Heard Island and McDonald Islands
HNHND Honduras
ISISL Iceland
IRIRN Iran|Islamic Republic of Iran
IQIRQ Iraq
IMIMN Isle of Man
JMJAM Jamaica
JEJEY Jersey
JOJOR Jordan
KZKAZ Kazakhstan
KEKEN Kenya
KIKIR Kiribati
XKXKK Kosovo
KWKWT Kuwait
KGKGZ Kyrgyzstan
LALAO Laos|Lao People's Democratic Republic
LVLVA Latvia
LBLBN Lebanon
LSLSO Lesotho
LRLBR Liberia
LYLBY Libya
LILIE Liechtenstein
LTLTU Lithuania
LULUX Luxembourg
MOMAC Macao|Macau
MGMDG Madagascar
MWMWI Malawi
MVMDV Maldives
MLMLI Mali
MTMLT Malta
MHMHL Marshall Islands
MQMTQ Martinique
MRMRT Mauritania
MUMUS Mauritius
YTMYT Mayotte
FMFSM Micronesia|Micronesia, Federated States of
MDMDA Moldova|Moldova, Republic of
MCMCO Monaco
MNMNG Mongolia
MEMNE Montenegro
MSMSR Montserrat
MAMAR Morocco
MZMOZ Mozambique
MMMMR Myanmar=Burma
NANAM Namibia
NRNRU Nauru
NPNPL Nepal
NCNCL New Caledonia
NINIC Nicaragua
NENER Niger
NUNIU Niue
NFNFK Norfolk Island
KPPRK North Korea
MKMKD North Macedonia|The Republic of North Macedonia=Macedonia
MPMNP Northern Mariana Islands
OMOMN Oman
PWPLW Palau
PSPSE Palestine|State of Palestine
PAPAN Panama
PGPNG Papua New Guinea
PYPRY Paraguay
PNPCN Pitcairn|Pitcairn Islands
PRPRI Puerto Rico
QAQAT Qatar
CGCOG Republic of the Congo|Congo
REREU Réunion|Reunion
RURUS Russia|Russian Federation
RWRWA Rwanda
BLBLM Saint Barthélemy
SHSHN Saint Helena
KNKNA Saint Kitts and Nevis
LCLCA Saint Lucia
MFMAF Saint Martin|Saint Martin (French part)
PMSPM Saint Pierre and Miquelon
VCVCT Saint Vincent and the Grenadines
WSWSM Samoa
SMSMR San Marino
STSTP Sao Tome and Principe
SNSEN Senegal
RSSRB Serbia
SCSYC Seychelles
SLSLE Sierra Leone
SXSXM Sint Maarten|Sint Maarten (Dutch part)
SKSVK Slovakia
SISVN Slovenia
SBSLB Solomon Islands
SOSOM Somalia
GSSGS South Georgia and the South Sandwich Islands
SSSSD South Sudan
LKLKA Sri Lanka
SDSDN Sudan
SRSUR Suriname
SJSJM Svalbard and Jan Mayen
SYSYR Syria|Syrian Arab Republic
TWTWN Taiwan|Taiwan, Province of China
TJTJK Tajikistan
TZTZA Tanzania|United Republic of Tanzania
TLTLS Timor-Leste=East Timor
TGTGO Togo
TKTKL Tokelau
TOTON Tonga
TTTTO Trinidad and Tobago
TNTUN Tunisia
TMTKM Turkmenistan
TCTCA Turks and Caicos Islands
TVTUV Tuvalu
VIVIR U.S. Virgin Islands|Virgin Islands, U.S.
UGUGA Uganda
UMUMI United States Minor Outlying Islands
UYURY Uruguay
UZUZB Uzbekistan
VUVUT Vanuatu
VAVAT Vatican City|Holy See (Vatican City State)=Vatican;Holy See
VEVEN Venezuela|Venezuela, Bolivarian Republic of
WFWLF Wallis and Futuna
EHESH Western Sahara
YEYEM Yemen
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
