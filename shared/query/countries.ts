// Countries: ISO codes, spellings in records, and aliases that people type.

/**
 * Line format: both ISO 3166-1 codes (`DE` and `DEU`), spellings in records separated by `|`, then `=` and aliases
 * separated by `;`. Countries with most companies and people come first, the others by name: forms list them in this
 * order.
 */
const TABLE = `USUSAUnited States|United States of America=America
ININDIndia
GBGBRUnited Kingdom=UK;Great Britain;Britain;England;Scotland;Wales
BRBRABrazil=Brasil
FRFRAFrance
DEDEUGermany=Deutschland
CACANCanada
ESESPSpain=España
ITITAItaly=Italia
NLNLDNetherlands|The Netherlands=Holland;Nederland
AUAUSAustralia
MXMEXMexico
CNCHNChina|People's Republic of China=PRC
JPJPNJapan
TRTURTurkey|Türkiye
PLPOLPoland=Polska
SESWESweden=Sverige
CHCHESwitzerland=Schweiz;Suisse
BEBELBelgium
AEAREUnited Arab Emirates=UAE;Emirates
ARARGArgentina
COCOLColombia
ZAZAFSouth Africa
IDIDNIndonesia
PTPRTPortugal
DKDNKDenmark
NONORNorway
IEIRLIreland
SGSGPSingapore
ILISRIsrael
ATAUTAustria=Österreich
FIFINFinland
KRKORSouth Korea|Korea, Republic of|Republic of Korea=Korea;ROK
CZCZECzech Republic|Czechia
UAUKRUkraine
NZNZLNew Zealand
ROROURomania
GRGRCGreece
SASAUSaudi Arabia=KSA
EGEGYEgypt
NGNGANigeria
PHPHLPhilippines|The Philippines
MYMYSMalaysia
VNVNMVietnam|Viet Nam
THTHAThailand
HKHKGHong Kong|Hong Kong SAR
PKPAKPakistan
CLCHLChile
PEPERPeru
HUHUNHungary
AFAFGAfghanistan
AXALAÅland Islands|Aland Islands
ALALBAlbania
DZDZAAlgeria
ASASMAmerican Samoa
ADANDAndorra
AOAGOAngola
AIAIAAnguilla
AQATAAntarctica
AGATGAntigua and Barbuda
AMARMArmenia
AWABWAruba
AZAZEAzerbaijan
BSBHSBahamas|The Bahamas
BHBHRBahrain
BDBGDBangladesh
BBBRBBarbados
BYBLRBelarus
BZBLZBelize
BJBENBenin
BMBMUBermuda
BTBTNBhutan
BOBOLBolivia|Bolivia, Plurinational State of
BQBESBonaire, Sint Eustatius and Saba
BABIHBosnia and Herzegovina=Bosnia
BWBWABotswana
BVBVTBouvet Island
IOIOTBritish Indian Ocean Territory
VGVGBBritish Virgin Islands|Virgin Islands, British
BNBRNBrunei|Brunei Darussalam
BGBGRBulgaria
BFBFABurkina Faso
BIBDIBurundi
KHKHMCambodia
CMCMRCameroon
CVCPVCape Verde|Cabo Verde
KYCYMCayman Islands
CFCAFCentral African Republic
TDTCDChad
CXCXRChristmas Island
CCCCKCocos (Keeling) Islands
KMCOMComoros
CKCOKCook Islands
CRCRICosta Rica
CICIVCôte d'Ivoire|Cote d'Ivoire|Ivory Coast
HRHRVCroatia
CUCUBCuba
CWCUWCuraçao
CYCYPCyprus
CDCODDemocratic Republic of the Congo|Congo, Democratic Republic of the=DR Congo;DRC
DJDJIDjibouti
DMDMADominica
DODOMDominican Republic
ECECUEcuador
SVSLVEl Salvador
GQGNQEquatorial Guinea
ERERIEritrea
EEESTEstonia
SZSWZEswatini=Swaziland
ETETHEthiopia
FKFLKFalkland Islands|Falkland Islands (Malvinas)
FOFROFaroe Islands
FJFJIFiji
GFGUFFrench Guiana
PFPYFFrench Polynesia
TFATFFrench Southern Territories
GAGABGabon
GMGMBGambia|The Gambia|Republic of The Gambia
GEGEOGeorgia
GHGHAGhana
GIGIBGibraltar
GLGRLGreenland
GDGRDGrenada
GPGLPGuadeloupe
GUGUMGuam
GTGTMGuatemala
GGGGYGuernsey
GNGINGuinea
GWGNBGuinea-Bissau
GYGUYGuyana
HTHTIHaiti
HMHMDHeard Island and McDonald Islands
HNHNDHonduras
ISISLIceland
IRIRNIran|Islamic Republic of Iran
IQIRQIraq
IMIMNIsle of Man
JMJAMJamaica
JEJEYJersey
JOJORJordan
KZKAZKazakhstan
KEKENKenya
KIKIRKiribati
XKXKKKosovo
KWKWTKuwait
KGKGZKyrgyzstan
LALAOLaos|Lao People's Democratic Republic
LVLVALatvia
LBLBNLebanon
LSLSOLesotho
LRLBRLiberia
LYLBYLibya
LILIELiechtenstein
LTLTULithuania
LULUXLuxembourg
MOMACMacao|Macau
MGMDGMadagascar
MWMWIMalawi
MVMDVMaldives
MLMLIMali
MTMLTMalta
MHMHLMarshall Islands
MQMTQMartinique
MRMRTMauritania
MUMUSMauritius
YTMYTMayotte
FMFSMMicronesia|Micronesia, Federated States of
MDMDAMoldova|Moldova, Republic of
MCMCOMonaco
MNMNGMongolia
MEMNEMontenegro
MSMSRMontserrat
MAMARMorocco
MZMOZMozambique
MMMMRMyanmar=Burma
NANAMNamibia
NRNRUNauru
NPNPLNepal
NCNCLNew Caledonia
NINICNicaragua
NENERNiger
NUNIUNiue
NFNFKNorfolk Island
KPPRKNorth Korea
MKMKDNorth Macedonia|The Republic of North Macedonia=Macedonia
MPMNPNorthern Mariana Islands
OMOMNOman
PWPLWPalau
PSPSEPalestine|State of Palestine
PAPANPanama
PGPNGPapua New Guinea
PYPRYParaguay
PNPCNPitcairn|Pitcairn Islands
PRPRIPuerto Rico
QAQATQatar
CGCOGRepublic of the Congo|Congo
REREURéunion|Reunion
RURUSRussia|Russian Federation
RWRWARwanda
BLBLMSaint Barthélemy
SHSHNSaint Helena
KNKNASaint Kitts and Nevis
LCLCASaint Lucia
MFMAFSaint Martin|Saint Martin (French part)
PMSPMSaint Pierre and Miquelon
VCVCTSaint Vincent and the Grenadines
WSWSMSamoa
SMSMRSan Marino
STSTPSao Tome and Principe
SNSENSenegal
RSSRBSerbia
SCSYCSeychelles
SLSLESierra Leone
SXSXMSint Maarten|Sint Maarten (Dutch part)
SKSVKSlovakia
SISVNSlovenia
SBSLBSolomon Islands
SOSOMSomalia
GSSGSSouth Georgia and the South Sandwich Islands
SSSSDSouth Sudan
LKLKASri Lanka
SDSDNSudan
SRSURSuriname
SJSJMSvalbard and Jan Mayen
SYSYRSyria|Syrian Arab Republic
TWTWNTaiwan|Taiwan, Province of China
TJTJKTajikistan
TZTZATanzania|United Republic of Tanzania
TLTLSTimor-Leste=East Timor
TGTGOTogo
TKTKLTokelau
TOTONTonga
TTTTOTrinidad and Tobago
TNTUNTunisia
TMTKMTurkmenistan
TCTCATurks and Caicos Islands
TVTUVTuvalu
VIVIRU.S. Virgin Islands|Virgin Islands, U.S.
UGUGAUganda
UMUMIUnited States Minor Outlying Islands
UYURYUruguay
UZUZBUzbekistan
VUVUTVanuatu
VAVATVatican City|Holy See (Vatican City State)=Vatican;Holy See
VEVENVenezuela|Venezuela, Bolivarian Republic of
WFWLFWallis and Futuna
EHESHWestern Sahara
YEYEMYemen
ZMZMBZambia
ZWZWEZimbabwe`;

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
  const [names = '', aliases = ''] = line.slice(5).split('=');
  return {
    iso2: line.slice(0, 2),
    iso3: line.slice(2, 5),
    names: names.split('|'),
    aliases: aliases === '' ? [] : aliases.split(';'),
  };
});
