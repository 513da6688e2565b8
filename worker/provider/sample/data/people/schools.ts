// Universities and schools that do not exist, by country or group of countries.
import { list } from '../../vocabulary.ts';

/** Names of universities and colleges; `text|slug` where the name is not in Latin letters. */
export const UNIVERSITIES: Readonly<Record<string, readonly string[]>> = {
  US: list(
    'University of Eastern Tamarack; Halberd College; Wickersham State University; Cold Harbor Institute of Technology; Pinnacle Ridge University; Marrowstone University; Lake Osprey State University; Thornhollow College; Greater Piedmont Tech; Saltgrass Community College; Ashgrove Polytechnic University; Calloway College',
  ),
  CA: list(
    'University of North Saskabay; Copperfell University; Lakeshore Algonquin Polytechnic; Maplewater College',
  ),
  GB: list(
    'University of Wexcombe; Tarnsbury University; Merrowmouth Metropolitan University; Royal College of Corsenport; University of Calverdale; Haldane University; Glasmere Institute of Technology; Dunnerholm University; St Osyth Bridge College; Ingleworth College',
  ),
  IE: list('University of Glasnaree; Inishkeel Institute of Technology; Kilbranish College'),
  AU: list(
    'Wattlebrook University; University of Southern Wallaroo; Banksia Institute of Technology; Corella University',
  ),
  NZ: list('University of Rimutara; Kowhai Polytechnic; Tussock Hills University'),
  DE: list(
    'Universität Tiefenthal; Technische Universität Elbenau; Hochschule Ulmenrode; Hochschule für angewandte Wissenschaften Lindenbrück; Universität Weidenfurt; Duale Hochschule Talheim-Süd; Fachhochschule Rabenstein; Universität Falkenau; Universität Silberbach; Hochschule Grauenfels',
  ),
  AT: list(
    'Universität Donaufels; Technische Universität Hochbruck; FH Murgau; Montanuniversität Eisenkogel',
  ),
  CH: list(
    'Universität Rheinach; Fachhochschule Aarental; Hochschule Seewinkel; Technische Hochschule Limmatberg',
  ),
  FR: list(
    'Université de Val-Cormeray; Université de Montbriant; Institut des sciences appliquées de Rochefleur; Université Hélène-Vasseur; Institut universitaire des Trois-Rivages; IUT de Saint-Aubrac; Institut polytechnique de Belmarais; Université de la Côte d’Ambre',
  ),
  'CA-FR': list('Université du Bas-Manicouan; Polytechnique Saint-Laurier; Cégep des Érablières'),
  BE: list('Universiteit Scheldeveld; Hogeschool Kempenland; Katholieke Hogeschool Dijledaal'),
  'BE-FR': list('Université de Val-Sambrière; Haute École des Hautes-Fagnettes'),
  'CH-FR': list('Université du Léman-Nord; Haute école de Montsalvan'),
  NL: list(
    'Universiteit Zuiderwaard; Technische Universiteit Merwestad; Hogeschool Polderland; Hogeschool Oostermeer; Universiteit van Rijnveld',
  ),
  ES: list(
    'Universidad de Valdemora; Universidad Politécnica de Sierraclara; Universidad Autónoma de Ribalta; Universidad Montearco; Universidad de Alcoraz; Universitat de la Costa Brisa',
  ),
  PT: list(
    'Universidade de Vale do Sorraínho; Instituto Politécnico de Montelindo; Universidade da Ria Alta',
  ),
  BR: list(
    'Universidade Federal do Vale do Guaporanga; Universidade Estadual de Serra Clara; Faculdade Ipê-Amarelo; Universidade Rio Pintado; Instituto Federal de Jacarandá; Centro Universitário Araucária do Norte',
  ),
  MX: list(
    'Universidad Autónoma de Cerro Pinto; Instituto Tecnológico de Ayacanqui; Universidad del Altiplano Norte; Tecnológico de Valle Quieto',
  ),
  LATAM: list(
    'Universidad Nacional de Río Pintado; Universidad del Litoral Andino; Universidad Técnica de Huamarca; Universidad Católica de San Belisario; Universidad Belgranito',
  ),
  IT: list(
    'Università degli Studi di Fontanaluce; Politecnico di Serravallina; Università di Montelieto; Università di Castelnero; Libera Università di Monteverna; Istituto Tecnico Superiore Valchiara',
  ),
  GR: list('Πανεπιστήμιο Αιγιαλού|panepistimio-aigialou; Πολυτεχνείο Μελτεμίου|polytechneio-meltemiou'),
  SE: list('Skogsvikens universitet; Kungsåsens tekniska högskola; Högskolan i Björkmo'),
  NO: list('Universitetet i Lysefjordal; Høyskolen Nordvåg; Høyskolen Fjellheim'),
  DK: list('Aarsvig Universitet; Professionshøjskolen Klitmark; Øresbro Tekniske Højskole'),
  FI: list('Lumijärven yliopisto; Kaislaniemen ammattikorkeakoulu; Revontulen teknillinen korkeakoulu'),
  EE: list('Ülejõe Ülikool; Kadakaranna Tehnikakõrgkool'),
  LT: list('Nemunėlio universitetas; Gintaro kolegija'),
  PL: list(
    'Uniwersytet Wielkoborski; Politechnika Świetlikowska; Akademia w Jaworznie Leśnym; Wyższa Szkoła w Modrzewiu; Uniwersytet w Zalipiu Górnym',
  ),
  CZ: list('Univerzita Horní Lipová; České vysoké učení Javorné; Technická univerzita v Modravě'),
  RO: list('Universitatea din Valea Codrilor; Universitatea Tehnică Brădet; Universitatea Dealu Mare'),
  UA: list(
    'Верховинський національний університет|verkhovynskyi-natsionalnyi-universytet; Політехнічний інститут Заріччя|politekhnichnyi-instytut-zarichchia; Університет Калинове|universytet-kalynove; Університет Степове|universytet-stepove',
  ),
  TR: list(
    'Karapınarlı Üniversitesi; Yeşilova Teknik Üniversitesi; Çınaraltı Üniversitesi; Boğazkent Üniversitesi; Akdeniz Rüzgârı Meslek Yüksekokulu',
  ),
  IL: list('אוניברסיטת הכרמון|hacarmon-university; המכללה הטכנולוגית עמק שקד|emek-shaked-college'),
  ARAB: list(
    'جامعة القنطرة الجديدة|alqantara-aljadida-university; جامعة الواحة للتكنولوجيا|alwaha-university-of-technology; كلية الغيمة|alghaima-college; جامعة نهر السلام|nahr-alsalam-university',
  ),
  ZA: list(
    'Tablewater Institute of Technology; University of the Umvotiela Valley; Highveld Plains University',
  ),
  NG: list('University of Baobab Hills; Lagoon State University of Akorede; Federal Polytechnic Okemesi-Ile'),
  KE: list('Mount Ololoi University; Savannah Polytechnic Kintara; University of Lake Nyanzaro'),
  GH: list('University of Odumase Coast; Akwantu Technical University'),
  IN: list(
    'Kaveripuram Institute of Technology; Aarogyam University; Saptarishi University; Narmadapur Engineering College; Indravati College; St. Ignatius College Malabarpur; Dakshinagiri University; Government Polytechnic Chandanwadi',
  ),
  SOUTHASIA: list('University of Chenabad; Meghnaganj University of Engineering; Ravi Valley University'),
  JP: list(
    '朝凪大学|asanagi-university; 千瀬工業大学|chise-institute-of-technology; 霧ヶ浜大学|kirigahama-university; 若葉台大学|wakabadai-university; 白峰大学|shiramine-university; 銀杏ヶ丘専門学校|ichogaoka-college',
  ),
  KR: list(
    '한결대학교|hangyeol-university; 새누리빛대학교|saenuribit-university; 가온공과대학교|gaon-institute-of-technology; 늘봄대학교|neulbom-university',
  ),
  CN: list(
    '云桥大学|yunqiao-university; 澜川理工大学|lanchuan-university-of-technology; 清溪大学|qingxi-university; 望江学院|wangjiang-college; 松岭职业技术学院|songling-vocational-college',
  ),
  TW: list(
    '鹭岛大學|ludao-university; 望海科技大學|wanghai-university-of-technology; 松嶺大學|songling-university',
  ),
  SG: list('Merlion Straits University; Kallangara Polytechnic; Bukit Sari College'),
  ID: list('Universitas Kencana Bhumi; Institut Teknologi Pelangi; Politeknik Negeri Samudra Raya'),
  VN: list(
    'Đại học Sông Lam Bắc|dai-hoc-song-lam-bac; Đại học Mây Núi|dai-hoc-may-nui; Cao đẳng Kỹ thuật Núi Mây|cao-dang-ky-thuat-nui-may',
  ),
  PH: list('University of San Lorenzo Bay; Coral Triangle College; Banahawan State University'),
  TH: list(
    'มหาวิทยาลัยดอยคำฟ้า|doi-kham-fah-university; สถาบันเทคโนโลยีเจ้าสมุทร|chao-samut-institute-of-technology',
  ),
};

/** Which list a country uses where it has none of its own. */
export const UNIVERSITY_GROUP: Readonly<Record<string, string>> = {
  AR: 'LATAM',
  CO: 'LATAM',
  CL: 'LATAM',
  PE: 'LATAM',
  AE: 'ARAB',
  SA: 'ARAB',
  JO: 'ARAB',
  EG: 'ARAB',
  MA: 'ARAB',
  PK: 'SOUTHASIA',
  BD: 'SOUTHASIA',
};
