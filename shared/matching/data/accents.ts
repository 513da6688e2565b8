// Letters with accents by language, to find records of names that were typed without them.

/** Format of a line: countries (ISO 3166-1), then groups of a letter and its variants. The alphabet of each country. */
export const ACCENTS = `
PL aą cć eę lł nń oó sś zźż
CZ,SK aáä cč dď eéě ií lľĺ nň oóô rřŕ sš tť uúů yý zž
TR,AZ cç gğ iı oö sş uü eə
DE,AT,CH,LI aä oö uü
ES,MX,AR,CO,CL,PE,EC,VE,UY,PY,BO,CR,PA,GT,DO,HN,SV,NI,CU aá eé ií oó uúü nñ
FR,BE,CH,CA,LU,MC,MA,TN,SN,CI aàâ cç eéèêë iîï oô uùûü
BR,PT,AO,MZ aáâã cç eéê ií oóôõ uú
SE,FI,EE,AX aäå oöõ uü
DK,NO,IS,FO aåáæ dð eé ií oøóö uú yý
HU aá eé ií oóöő uúüű
RO,MD aăâ iî sșş tțţ
HR,SI,BA,RS,ME,MK cčć dđ sš zž
IT,SM aà eèé iì oò uù
LT aą cč eęė iį sš uūų zž
LV aā cč eē gģ iī kķ lļ nņ sš uū zž
AL,XK cç eë
GR,CY αά εέ ηή ιίϊ οό υύϋ ωώ σς
RU,BY,KZ,KG,UZ её
UA,BY гґ иі ії
SA,AE,EG,JO,KW,QA,BH,OM,LB,IQ,SY,MA,DZ,TN اأإآ هة يى`;

/** Vietnamese marks a vowel twice: by its quality and by the tone of the syllable. */
export const VIETNAMESE = {
  country: 'VN',
  letters: 'aăâ dđ eê oôơ uư',
  vowels: /[aăâeêioôơuưy]/g,
  tones: '\u0300\u0301\u0303\u0309\u0323',
};
