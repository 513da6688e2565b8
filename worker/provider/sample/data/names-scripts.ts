// Parts of company names in other scripts, each with the Latin spelling that its address uses.
import { list } from '../vocabulary.ts';
import type { TailTable } from './names-european.ts';

export const JAPANESE_FIRST = list(
  '朝|asa; 夕|yu; 白|shira; 青|ao; 緑|midori; 千|chi; 風|kaze; 雲|kumo; 星|hoshi; 霧|kiri; 月|tsuki; 若|waka; 銀|gin; 松|matsu; 桐|tou; 柊|hiiragi; 桜|sakura; 楓|kaede; 鈴|suzu; 波|nami; 雪|yuki; 春|haru',
);
export const JAPANESE_SECOND = list(
  '凪|nagi; 峰|mine; 浜|hama; 瀬|se; 丘|oka; 沢|zawa; 谷|tani; 里|sato; 庭|niwa; 橋|bashi; 岬|misaki; 森|mori; 灘|nada; 音|ne; 路|ji; 帆|ho; 苑|en; 泉|izumi',
);
export const JAPANESE_TAILS: TailTable = [
  ['製作所|seisakusho', 'machining; packaging'],
  ['精機|seiki', 'machining; warehousing'],
  ['工業|kogyo', 'machining; autoparts; plastics'],
  ['電子|denshi', 'sensors; chips'],
  ['システム|systems', 'itservices; workflow'],
  ['ソフトウェア|software', 'workflow; hrtech; clinicsoft'],
  ['建設|kensetsu', 'contractor; civil'],
  ['運輸|unyu', 'freight; courier'],
  ['食品|shokuhin', 'foodmaker'],
  ['酒造|shuzo', 'drinks'],
  ['製薬|seiyaku', 'pharma'],
  ['医療機器|iryokiki', 'meddevices'],
  ['繊維|seni', 'textiles'],
  ['家具|kagu', 'furniture'],
  ['不動産|fudosan', 'property'],
  ['商事|shoji', 'wholesale'],
  ['出版|shuppan', 'publisher'],
  ['ゲームズ|games', 'games'],
  ['エナジー|energy', 'solar; storage'],
  ['ホテルズ|hotels', 'hotel'],
  ['化学|kagaku', 'coatings'],
  ['デザイン|design', 'design'],
];

export const CHINESE_FIRST = list(
  '云|yun; 澜|lan; 清|qing; 远|yuan; 瑞|rui; 恒|heng; 嘉|jia; 苍|cang; 晨|chen; 沐|mu; 禾|he; 锦|jin; 星|xing; 泽|ze; 枫|feng; 松|song; 鹭|lu; 砚|yan; 朔|shuo; 望|wang',
);
export const CHINESE_SECOND = list(
  '舟|zhou; 川|chuan; 和|heh; 途|tu; 桂|gui; 穗|sui; 帆|fan; 桥|qiao; 岭|ling; 渡|du; 屿|yu; 棠|tang; 溪|xi; 梧|wu; 汀|ting; 柏|bai; 荻|di; 岸|an',
);
export const CHINESE_TAILS: TailTable = [
  ['科技|keji', 'workflow; dataplatform; language; sensors'],
  ['机械|jixie', 'packaging; machining; warehousing'],
  ['电子|dianzi', 'sensors; chips'],
  ['半导体|bandaoti', 'chips'],
  ['物流|wuliu', 'freight; courier'],
  ['新能源|xinnengyuan', 'solar; storage'],
  ['医药|yiyao', 'pharma; biotech'],
  ['纺织|fangzhi', 'textiles; fashion'],
  ['食品|shipin', 'foodmaker'],
  ['建筑设计|jianzhusheji', 'architects'],
  ['教育|jiaoyu', 'edtech; school'],
  ['网络|wangluo', 'games; onlineshop; telecom'],
  ['环保|huanbao', 'recycling'],
  ['贸易|maoyi', 'wholesale'],
  ['文化传媒|wenhuachuanmei', 'agency; film; publisher'],
  ['塑胶|sujiao', 'plastics'],
  ['汽车零部件|qichelingbujian', 'autoparts'],
  ['医疗器械|yiliaoqixie', 'meddevices'],
];

export const KOREAN_FIRST = list(
  '하늬|hanui; 새결|saegyeol; 푸른|pureun; 가온|gaon; 다솜|dasom; 라온|raon; 마루|maru; 솔|sol; 아라|ara; 온새|onsae; 은가|eunga; 해담|haedam; 늘봄|neulbom; 도담|dodam; 미르|mir; 별하|byeolha',
);
export const KOREAN_SECOND = list(
  '들|deul; 빛|bit; 터|teo; 결|gyeol; 나래|narae; 누리|nuri; 벗|beot; 재|jae; 울|ul; 람|ram; 미|mi; 솜|som',
);
export const KOREAN_TAILS: TailTable = [
  ['소프트|soft', 'workflow; hrtech; security'],
  ['테크|tech', 'sensors; itservices; drones'],
  ['정밀|jeongmil', 'machining; autoparts'],
  ['반도체|bandoche', 'chips'],
  ['로지스|logis', 'freight; courier'],
  ['바이오|bio', 'biotech; pharma'],
  ['게임즈|games', 'games'],
  ['푸드|food', 'foodmaker; restaurant'],
  ['건설|geonseol', 'contractor'],
  ['에너지|energy', 'solar; storage'],
  ['화장품|hwajangpum', 'cosmetics'],
  ['교육|gyoyuk', 'edtech; school'],
  ['미디어|media', 'agency; film'],
  ['의료기|uiryogi', 'meddevices'],
  ['섬유|seomyu', 'textiles'],
];

export const ARABIC_FIRST = list(
  'الواحة|alwaha; النخلة|alnakhla; الرابية|alrabiya; القافلة|alqafila; السنبلة|alsunbula; المنارة|almanara; اللؤلؤة|allulua; الغيمة|alghaima; البوصلة|albawsala; الربوة|alrabwa; الزيتونة|alzaytuna; الشرفة|alshurfa; الضفة|aldiffa; القنطرة|alqantara; الساقية|alsaqiya; الياسمينة|alyasmina; النحلة|alnahla; الموجة|almawja',
);
export const ARABIC_SECOND = list(
  'الخضراء|alkhadra; الزرقاء|alzarqa; الذهبية|aldhahabiya; البيضاء|albayda; الجديدة|aljadida; الشرقية|alsharqiya; الهادئة|alhadia; العالية|alaliya; الفضية|alfiddiya; المضيئة|almudia; الواسعة|alwasia; الساحلية|alsahiliya',
);
export const ARABIC_TAILS: TailTable = [
  ['للبرمجيات|software', 'workflow; itservices; clinicsoft'],
  ['للمقاولات|contracting', 'contractor; civil'],
  ['للخدمات اللوجستية|logistics', 'freight; courier'],
  ['للصناعات الغذائية|foodstuffs', 'foodmaker'],
  ['للأدوية|pharmaceuticals', 'pharma'],
  ['للرعاية الصحية|healthcare', 'hospital; dental'],
  ['للاستشارات|consultancy', 'consulting; accounting'],
  ['للمحاماة|lawfirm', 'law'],
  ['للتعليم|education', 'school; edtech'],
  ['للطاقة الشمسية|solarenergy', 'solar'],
  ['للعقارات|properties', 'property'],
  ['للضيافة|hospitality', 'hotel; restaurant'],
  ['للسفر والسياحة|tourism', 'travel'],
  ['للتجارة العامة|generaltrading', 'wholesale'],
  ['للمدفوعات|payments', 'payments'],
  ['للأمن السيبراني|cybersecurity', 'security'],
  ['للأثاث|furnishing', 'furniture'],
  ['للبلاستيك|plastic', 'plastics; packaging'],
  ['للزراعة|farming', 'farm'],
  ['للتدوير|recycle', 'recycling'],
  ['للإعلام|mediahouse', 'agency; film; publisher'],
];

export const HINDI_NAMES = list(
  'सूर्योदयिका|suryodayika; नवप्रभात|navprabhat; अमृतधारा|amritdhaara; गंगोत्सव|gangotsav; वनश्री|vanashri; हिमशिखर|himshikhar; सप्तपर्ण|saptaparn; मधुवनिका|madhuvanika; शिल्पग्राम|shilpgram; किसानमित्र|kisanmitra; दीपशिखा|deepshikha; रत्नसागर|ratnasagar; चंद्रकिरण|chandrakiran; अन्नक्षेत्र|annakshetra; स्वदीप|swadeep; नीलगगन|neelgagan; पवनवेग|pavanveg; आरोग्यम|aarogyam; ज्ञानसेतु|gyansetu; लोकहित|lokhit',
);
export const HINDI_TAILS: TailTable = [
  ['टेक्नोलॉजीज़|technologies', 'itservices; workflow; payments'],
  ['वस्त्र उद्योग|vastra-udyog', 'textiles; fashion'],
  ['फूड्स|foods', 'foodmaker'],
  ['कृषि|krishi', 'farm; foodmaker'],
  ['इंफ्रा|infra', 'contractor; civil'],
  ['हेल्थकेयर|healthcare', 'hospital; dental'],
  ['शिक्षा संस्थान|shiksha-sansthan', 'school; college; edtech'],
  ['सोलर|solar', 'solar'],
  ['लॉजिस्टिक्स|logistics', 'freight; courier'],
  ['आयुर्वेद|ayurveda', 'pharma; cosmetics'],
  ['फाउंडेशन|foundation', 'charity'],
  ['ट्रेडर्स|traders', 'wholesale'],
  ['प्रकाशन|prakashan', 'publisher'],
  ['मशीनरी|machinery', 'packaging; machining'],
];

export const UKRAINIAN_NAMES = list(
  'Світанкова|svitankova; Дніпровіта|dniprovita; Калинівець|kalynivets; Журавлина|zhuravlyna; Барвінок|barvinok; Стожари|stozhary; Яворина|yavoryna; Полонинка|polonynka; Чумацький Шлях|chumatskyishliakh; Вербиця|verbytsia; Золотопілля|zolotopillia; Смерекова|smerekova; Громовиця|hromovytsia; Лелека|leleka; Верховина-Лад|verkhovynalad; Мальвія|malviia',
);
export const UKRAINIAN_TAILS: TailTable = [
  ['Агро|agro', 'farm'],
  ['Буд|bud', 'contractor'],
  ['Софт|soft', 'workflow; itservices; games'],
  ['Логістика|lohistyka', 'freight; courier'],
  ['Енерго|enerho', 'solar; storage'],
  ['Меблі|mebli', 'furniture'],
  ['Фарм|farm', 'pharma'],
  ['Текстиль|tekstyl', 'textiles; fashion'],
  ['Медіа|media', 'agency; publisher; film'],
  ['Харчові продукти|kharchovi-produkty', 'foodmaker'],
  ['Клініка|klinika', 'hospital; dental'],
  ['Консалтинг|konsaltynh', 'consulting; accounting; law'],
];

export const GREEK_NAMES = list(
  'Ανεμώνη|anemoni; Θαλασσινός|thalassinos; Κυκλάμινο|kyklamino; Ελαιώνας Γη|elaionasgi; Φαραγγιώτης|farangiotis; Πευκώνας|pefkonas; Αλκυονίδα|alkyonida; Μελτεμάκι|meltemaki; Ροδακινιά|rodakinia; Ακρωτήρι Φως|akrotirifos; Νερόμυλος|neromylos; Χελιδόνι|chelidoni',
);
export const GREEK_TAILS: TailTable = [
  ['Τρόφιμα|trofima', 'foodmaker'],
  ['Ναυτιλιακή|naftiliaki', 'freight'],
  ['Ξενοδοχεία|xenodocheia', 'hotel'],
  ['Τεχνική|techniki', 'contractor; civil; hvac'],
  ['Πληροφορική|pliroforiki', 'itservices; workflow'],
  ['Εκδόσεις|ekdoseis', 'publisher'],
  ['Ενεργειακή|energeiaki', 'solar'],
  ['Φαρμακευτική|farmakeftiki', 'pharma'],
  ['Ελαιόλαδο|elaiolado', 'foodmaker; farm'],
  ['Ταξίδια|taxidia', 'travel'],
];

export const HEBREW_NAMES = list(
  'אלמוגית|almogit; ברושים|broshim; גלבועית|gilboit; דוכיפת|duchifat; זריחה|zricha; חצבים|chatzavim; ירקון־אור|yarkonor; כלנית|kalanit; מעיינות|maayanot; סביון|savyon; ערבה ירוקה|aravayeruka; צוקית|tzukit',
);
export const HEBREW_TAILS: TailTable = [
  ['טכנולוגיות|technologies', 'dataplatform; sensors; chips; security'],
  ['מערכות|systems', 'security; drones; storage'],
  ['סייבר|cyber', 'security'],
  ['ביוטק|biotech', 'biotech'],
  ['השקיה|irrigation', 'sensors; farm; recycling'],
  ['תוכנה|tochna', 'workflow; itservices'],
  ['בנייה|bniya', 'contractor'],
  ['מזון|mazon', 'foodmaker'],
  ['מכשור רפואי|medical', 'meddevices'],
];

export const THAI_NAMES = list(
  'ฟ้าใหม่|famai; ดาวเหนือ|daonuea; ต้นสัก|tonsak; บัวตอง|buatong; ลมทะเล|lomthale; ข้าวทิพย์|khaothip; ไผ่เขียว|phaikhiao; ร่มไทร|romsai; น้ำริน|namrin; ปีกนก|piknok; ทรายทอง|saithong; ภูผาสูง|phuphasung',
);
export const THAI_TAILS: TailTable = [
  ['ฟู้ดส์|foods', 'foodmaker'],
  ['โลจิสติกส์|logistics', 'freight; courier'],
  ['เทคโนโลยี|technology', 'itservices; workflow; payments'],
  ['ก่อสร้าง|construction', 'contractor'],
  ['รีสอร์ท|resort', 'hotel; travel'],
  ['พลังงาน|energy', 'solar; storage'],
  ['เกษตร|kaset', 'farm'],
  ['เฟอร์นิเจอร์|furniture', 'furniture'],
  ['บรรจุภัณฑ์|packaging', 'packaging; plastics'],
  ['การแพทย์|medical', 'hospital; meddevices'],
];
