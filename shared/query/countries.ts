// Countries: ISO codes, spellings in records, and aliases that people type.

/** Line format: ISO 3166-1 codes, spellings in records separated by `|`, then `=` and aliases separated by `;`. */
const TABLE = `AD AND Andorra
AE ARE United Arab Emirates=Emirates
AF AFG Afghanistan
AG ATG Antigua and Barbuda
AI AIA Anguilla
AL ALB Albania
AM ARM Armenia
AO AGO Angola
AQ ATA Antarctica
AR ARG Argentina
AS ASM American Samoa
AT AUT Austria=Österreich
AU AUS Australia
AW ABW Aruba
AX ALA Åland Islands|Aland Islands
AZ AZE Azerbaijan
BA BIH Bosnia and Herzegovina=Bosnia
BB BRB Barbados
BD BGD Bangladesh
BE BEL Belgium
BF BFA Burkina Faso
BG BGR Bulgaria
BH BHR Bahrain
BI BDI Burundi
BJ BEN Benin
BL BLM Saint Barthélemy
BM BMU Bermuda
BN BRN Brunei|Brunei Darussalam
BO BOL Bolivia|Bolivia, Plurinational State of
BQ BES Bonaire, Sint Eustatius and Saba
BR BRA Brazil=Brasil
BS BHS Bahamas|The Bahamas
BT BTN Bhutan
BV BVT Bouvet Island
BW BWA Botswana
BY BLR Belarus
BZ BLZ Belize
CA CAN Canada
CC CCK Cocos (Keeling) Islands
CD COD Democratic Republic of the Congo|Congo, Democratic Republic of the=DR Congo;DRC
CF CAF Central African Republic
CG COG Republic of the Congo|Congo
CH CHE Switzerland=Schweiz;Suisse
CI CIV Côte d'Ivoire|Cote d'Ivoire|Ivory Coast
CK COK Cook Islands
CL CHL Chile
CM CMR Cameroon
CN CHN China|People's Republic of China=PRC
CO COL Colombia
CR CRI Costa Rica
CU CUB Cuba
CV CPV Cape Verde|Cabo Verde
CW CUW Curaçao
CX CXR Christmas Island
CY CYP Cyprus
CZ CZE Czech Republic|Czechia
DE DEU Germany=Deutschland
DJ DJI Djibouti
DK DNK Denmark
DM DMA Dominica
DO DOM Dominican Republic
DZ DZA Algeria
EC ECU Ecuador
EE EST Estonia
EG EGY Egypt
EH ESH Western Sahara
ER ERI Eritrea
ES ESP Spain=España
ET ETH Ethiopia
FI FIN Finland
FJ FJI Fiji
FK FLK Falkland Islands|Falkland Islands (Malvinas)
FM FSM Micronesia|Micronesia, Federated States of
FO FRO Faroe Islands
FR FRA France
GA GAB Gabon
GB GBR United Kingdom=UK;Great Britain;Britain
GD GRD Grenada
GE GEO Georgia
GF GUF French Guiana
GG GGY Guernsey
GH GHA Ghana
GI GIB Gibraltar
GL GRL Greenland
GM GMB Gambia|The Gambia|Republic of The Gambia
GN GIN Guinea
GP GLP Guadeloupe
GQ GNQ Equatorial Guinea
GR GRC Greece
GS SGS South Georgia and the South Sandwich Islands
GT GTM Guatemala
GU GUM Guam
GW GNB Guinea-Bissau
GY GUY Guyana
HK HKG Hong Kong|Hong Kong SAR
HM HMD Heard Island and McDonald Islands
HN HND Honduras
HR HRV Croatia
HT HTI Haiti
HU HUN Hungary
ID IDN Indonesia
IE IRL Ireland
IL ISR Israel
IM IMN Isle of Man
IN IND India
IO IOT British Indian Ocean Territory
IQ IRQ Iraq
IR IRN Iran|Islamic Republic of Iran
IS ISL Iceland
IT ITA Italy=Italia
JE JEY Jersey
JM JAM Jamaica
JO JOR Jordan
JP JPN Japan
KE KEN Kenya
KG KGZ Kyrgyzstan
KH KHM Cambodia
KI KIR Kiribati
KM COM Comoros
KN KNA Saint Kitts and Nevis
KP PRK North Korea
KR KOR South Korea|Korea, Republic of|Republic of Korea=Korea
KW KWT Kuwait
KY CYM Cayman Islands
KZ KAZ Kazakhstan
LA LAO Laos|Lao People's Democratic Republic
LB LBN Lebanon
LC LCA Saint Lucia
LI LIE Liechtenstein
LK LKA Sri Lanka
LR LBR Liberia
LS LSO Lesotho
LT LTU Lithuania
LU LUX Luxembourg
LV LVA Latvia
LY LBY Libya
MA MAR Morocco
MC MCO Monaco
MD MDA Moldova|Moldova, Republic of
ME MNE Montenegro
MF MAF Saint Martin|Saint Martin (French part)
MG MDG Madagascar
MH MHL Marshall Islands
MK MKD North Macedonia|The Republic of North Macedonia=Macedonia
ML MLI Mali
MM MMR Myanmar=Burma
MN MNG Mongolia
MO MAC Macao|Macau
MP MNP Northern Mariana Islands
MQ MTQ Martinique
MR MRT Mauritania
MS MSR Montserrat
MT MLT Malta
MU MUS Mauritius
MV MDV Maldives
MW MWI Malawi
MX MEX Mexico
MY MYS Malaysia
MZ MOZ Mozambique
NA NAM Namibia
NC NCL New Caledonia
NE NER Niger
NF NFK Norfolk Island
NG NGA Nigeria
NI NIC Nicaragua
NL NLD Netherlands|The Netherlands=Holland;Nederland
NO NOR Norway
NP NPL Nepal
NR NRU Nauru
NU NIU Niue
NZ NZL New Zealand
OM OMN Oman
PA PAN Panama
PE PER Peru
PF PYF French Polynesia
PG PNG Papua New Guinea
PH PHL Philippines|The Philippines
PK PAK Pakistan
PL POL Poland=Polska
PM SPM Saint Pierre and Miquelon
PN PCN Pitcairn|Pitcairn Islands
PR PRI Puerto Rico
PS PSE Palestine|State of Palestine
PT PRT Portugal
PW PLW Palau
PY PRY Paraguay
QA QAT Qatar
RE REU Réunion|Reunion
RO ROU Romania
RS SRB Serbia
RU RUS Russia|Russian Federation
RW RWA Rwanda
SA SAU Saudi Arabia
SB SLB Solomon Islands
SC SYC Seychelles
SD SDN Sudan
SE SWE Sweden=Sverige
SG SGP Singapore
SH SHN Saint Helena
SI SVN Slovenia
SJ SJM Svalbard and Jan Mayen
SK SVK Slovakia
SL SLE Sierra Leone
SM SMR San Marino
SN SEN Senegal
SO SOM Somalia
SR SUR Suriname
SS SSD South Sudan
ST STP Sao Tome and Principe
SV SLV El Salvador
SX SXM Sint Maarten|Sint Maarten (Dutch part)
SY SYR Syria|Syrian Arab Republic
SZ SWZ Eswatini=Swaziland
TC TCA Turks and Caicos Islands
TD TCD Chad
TF ATF French Southern Territories
TG TGO Togo
TH THA Thailand
TJ TJK Tajikistan
TK TKL Tokelau
TL TLS Timor-Leste=East Timor
TM TKM Turkmenistan
TN TUN Tunisia
TO TON Tonga
TR TUR Turkey|Türkiye
TT TTO Trinidad and Tobago
TV TUV Tuvalu
TW TWN Taiwan|Taiwan, Province of China
TZ TZA Tanzania|United Republic of Tanzania
UA UKR Ukraine
UG UGA Uganda
UM UMI United States Minor Outlying Islands
US USA United States|United States of America=America
UY URY Uruguay
UZ UZB Uzbekistan
VA VAT Vatican City|Holy See (Vatican City State)=Vatican;Holy See
VC VCT Saint Vincent and the Grenadines
VE VEN Venezuela|Venezuela, Bolivarian Republic of
VG VGB British Virgin Islands|Virgin Islands, British
VI VIR U.S. Virgin Islands|Virgin Islands, U.S.
VN VNM Vietnam|Viet Nam
VU VUT Vanuatu
WF WLF Wallis and Futuna
WS WSM Samoa
XK XKK Kosovo
YE YEM Yemen
YT MYT Mayotte
ZA ZAF South Africa
ZM ZMB Zambia
ZW ZWE Zimbabwe`;

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
  const [names = '', aliases = ''] = line.slice(7).split('=');
  return {
    iso2: line.slice(0, 2),
    iso3: line.slice(3, 6),
    names: names.split('|'),
    aliases: aliases === '' ? [] : aliases.split(';'),
  };
});
