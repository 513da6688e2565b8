// Given and family names of people in scripts other than Latin, each with its Latin spelling in small letters.
import { list } from '../../vocabulary.ts';
import type { NameTable } from './names-latin.ts';

function table(
  key: string,
  women: string,
  men: string,
  family: string,
  more: Partial<NameTable> = {},
): NameTable {
  return {
    key,
    latin: false,
    familyFirst: false,
    second: 0,
    women: list(women),
    men: list(men),
    family: list(family),
    ...more,
  };
}

export const SCRIPT_NAMES: readonly NameTable[] = [
  table(
    'japanese',
    '明日香|asuka; 彩|aya; 綾乃|ayano; 千尋|chihiro; 恵美|emi; 春菜|haruna; 陽子|yoko; 香織|kaori; 加奈子|kanako; 恵子|keiko; 真由美|mayumi; 美咲|misaki; 美穂|miho; 菜々子|nanako; 直美|naomi; 玲奈|reina; 理恵|rie; 沙織|saori; さくら|sakura; 智子|tomoko; 由紀子|yukiko; 優花|yuka',
    '彰|akira; 大輔|daisuke; 大樹|daiki; 英樹|hideki; 浩|hiroshi; 淳|jun; 和也|kazuya; 健一|kenichi; 健太|kenta; 浩二|koji; 誠|makoto; 雅人|masato; 直樹|naoki; 亮|ryo; 翔太|shota; 俊介|shunsuke; 拓也|takuya; 達也|tatsuya; 徹|toru; 剛|tsuyoshi; 裕樹|yuki; 雄太|yuta',
    '相沢|aizawa; 浅野|asano; 東|azuma; 福田|fukuda; 秋山|akiyama; 羽田|haneda; 畑中|hatanaka; 堀内|horiuchi; 飯島|iijima; 石塚|ishizuka; 岩崎|iwasaki; 川端|kawabata; 菊地|kikuchi; 岸本|kishimoto; 桑原|kuwahara; 真鍋|manabe; 永井|nagai; 成田|narita; 野口|noguchi; 荻原|ogiwara; 大塚|otsuka; 坂口|sakaguchi; 沢田|sawada; 関根|sekine; 杉浦|sugiura; 高岡|takaoka; 竹内|takeuchi; 土屋|tsuchiya; 内海|utsumi; 和田|wada; 山根|yamane; 横田|yokota; 吉岡|yoshioka',
    { familyFirst: true },
  ),
  table(
    'chinese',
    '静|jing; 丽|li; 婷婷|tingting; 玉兰|yulan; 佳怡|jiayi; 思远|siyuan; 梦洁|mengjie; 晓燕|xiaoyan; 雅琴|yaqin; 文静|wenjing; 欣怡|xinyi; 慧敏|huimin; 诗涵|shihan; 秀英|xiuying; 芳|fang',
    '伟|wei; 强|qiang; 磊|lei; 勇|yong; 涛|tao; 明|ming; 志强|zhiqiang; 建国|jianguo; 浩然|haoran; 子轩|zixuan; 宇航|yuhang; 文博|wenbo; 海峰|haifeng; 晓东|xiaodong; 家豪|jiahao',
    '白|bai; 蔡|cai; 曹|cao; 陈|chen; 崔|cui; 邓|deng; 丁|ding; 董|dong; 杜|du; 冯|feng; 龚|gong; 郭|guo; 韩|han; 何|he; 胡|hu; 蒋|jiang; 赖|lai; 梁|liang; 廖|liao; 林|lin; 刘|liu; 陆|lu; 罗|luo; 吕|lyu; 潘|pan; 彭|peng; 钱|qian; 邱|qiu; 沈|shen; 宋|song; 孙|sun; 谭|tan; 唐|tang; 王|wang; 吴|wu; 夏|xia; 谢|xie; 徐|xu; 薛|xue; 杨|yang; 姚|yao; 叶|ye; 于|yu; 袁|yuan; 张|zhang; 赵|zhao; 郑|zheng; 周|zhou; 朱|zhu',
    { familyFirst: true },
  ),
  table(
    'korean',
    '하은|haeun; 가은|gaeun; 경희|kyunghee; 다혜|dahye; 보람|boram; 선영|sunyoung; 은별|eunbyul; 하늘|haneul; 혜진|hyejin; 서연|seoyeon; 유나|yuna; 예린|yerin',
    '건우|gunwoo; 규태|gyutae; 기훈|kihoon; 덕수|deoksu; 상철|sangchul; 용식|yongsik; 종혁|jonghyuk; 진표|jinpyo; 형석|hyungseok; 재훈|jaehoon; 준영|junyoung; 경수|kyungsoo; 태호|taeho; 우진|woojin; 영호|youngho',
    '안|ahn; 배|bae; 장|jang; 천|cheon; 최|choi; 전|jeon; 조|cho; 정|jung; 강|kang; 김|kim; 권|kwon; 이|lee; 임|lim; 문|moon; 남|nam; 노|noh; 오|oh; 박|park; 류|ryu; 서|seo; 신|shin; 송|song; 심|shim; 우|woo; 양|yang; 유|yoo; 윤|yoon',
    { familyFirst: true },
  ),
  table(
    'ukrainian',
    'Анастасія|anastasiia; Ганна|hanna; Дарина|daryna; Ірина|iryna; Катерина|kateryna; Людмила|liudmyla; Марія|mariia; Наталія|nataliia; Оксана|oksana; Олена|olena; Ольга|olha; Світлана|svitlana; Софія|sofiia; Тетяна|tetiana; Юлія|yuliia; Яна|yana',
    'Андрій|andrii; Богдан|bohdan; Василь|vasyl; Віталій|vitalii; Дмитро|dmytro; Євген|yevhen; Ігор|ihor; Максим|maksym; Микола|mykola; Олег|oleh; Олександр|oleksandr; Павло|pavlo; Роман|roman; Сергій|serhii; Тарас|taras; Юрій|yurii; Ярослав|yaroslav',
    'Бондаренко|bondarenko; Вербицький/Вербицька|verbytskyi/verbytska; Гаврилюк|havryliuk; Гончар|honchar; Гриценко|hrytsenko; Данилюк|danyliuk; Дорошенко|doroshenko; Заболотний/Заболотна|zabolotnyi/zabolotna; Іваненко|ivanenko; Кравчук|kravchuk; Колісник|kolisnyk; Костенко|kostenko; Левицький/Левицька|levytskyi/levytska; Литвин|lytvyn; Мазур|mazur; Марченко|marchenko; Мельничук|melnychuk; Олійник|oliinyk; Павленко|pavlenko; Петрук|petruk; Савчук|savchuk; Семенюк|semeniuk; Сидоренко|sydorenko; Ткаченко|tkachenko; Федорчук|fedorchuk; Ципко|tsypko; Швець|shvets; Яременко|yaremenko',
  ),
  table(
    'greek',
    'Αικατερίνη|aikaterini; Βασιλική|vasiliki; Γεωργία|georgia; Δήμητρα|dimitra; Ειρήνη|eirini; Ελένη|eleni; Ευαγγελία|evangelia; Κωνσταντίνα|konstantina; Μαρία|maria; Νικολέτα|nikoleta; Σοφία|sofia; Χριστίνα|christina',
    'Αλέξανδρος|alexandros; Ανδρέας|andreas; Γιώργος|giorgos; Δημήτρης|dimitris; Ηλίας|ilias; Κώστας|kostas; Μιχάλης|michalis; Νίκος|nikos; Παναγιώτης|panagiotis; Σπύρος|spyros; Στέλιος|stelios; Χρήστος|christos',
    'Αγγελόπουλος/Αγγελοπούλου|angelopoulos/angelopoulou; Αλεξίου|alexiou; Γεωργίου|georgiou; Δημητρίου|dimitriou; Ζαφειρίου|zafeiriou; Θεοδώρου|theodorou; Καραγιάννης/Καραγιάννη|karagiannis/karagianni; Κουτσός/Κουτσού|koutsos/koutsou; Λαμπρόπουλος/Λαμπροπούλου|lampropoulos/lampropoulou; Μαρκάκης/Μαρκάκη|markakis/markaki; Νικολάου|nikolaou; Οικονόμου|oikonomou; Σταθόπουλος/Σταθοπούλου|stathopoulos/stathopoulou; Τσιρίγος/Τσιρίγου|tsirigos/tsirigou; Χατζής/Χατζή|chatzis/chatzi',
  ),
  table(
    'arabic',
    'أمل|amal; إيمان|eman; حنان|hanan; دانا|dana; ريم|reem; سارة|sara; سلمى|salma; عائشة|aisha; غادة|ghada; فاطمة|fatma; لينا|lina; مريم|maryam; منى|mona; نور|noor; هدى|huda; هند|hind; ياسمين|yasmeen',
    'أحمد|ahmed; باسم|basem; حسن|hassan; خالد|khaled; زياد|ziad; سامي|sami; سعيد|saeed; طارق|tarek; عادل|adel; عبدالله|abdullah; عمر|omar; فيصل|faisal; ماجد|majed; محمود|mahmoud; مصطفى|mostafa; نبيل|nabil; هاني|hany; يوسف|yousef',
    'أبو زيد|abuzeid; البغدادي|albaghdadi; التميمي|altamimi; الجابري|aljaberi; الحلبي|alhalabi; الخطيب|alkhatib; الراشد|alrashed; الزهراني|alzahrani; السعدي|alsaadi; الشمري|alshammari; الصباغ|alsabbagh; العتيبي|alotaibi; العلمي|alalami; الغامدي|alghamdi; الفارس|alfares; الكيلاني|alkilani; المصري|almasri; النجار|alnajjar; برادة|berrada; بنعيسى|benaissa; عبدالرحمن|abdelrahman; عوض|awad; قنديل|kandil',
  ),
  table(
    'hindi',
    'अंजना|anjana; अर्चना|archana; आरती|aarti; कविता|kavita; किरण|kiran; नेहा|neha; पूजा|pooja; प्रिया|priya; मीना|meena; रश्मि|rashmi; रीता|rita; रेखा|rekha; ललिता|lalita; शीला|sheela; सीमा|seema; सुनीता|sunita',
    'अजय|ajay; अनिल|anil; अमित|amit; अरुण|arun; अशोक|ashok; दिनेश|dinesh; नरेश|naresh; पंकज|pankaj; मनोज|manoj; महेश|mahesh; मुकेश|mukesh; राकेश|rakesh; राजीव|rajeev; विनोद|vinod; संजय|sanjay; सुरेश|suresh',
    'उपाध्याय|upadhyaya; कश्यप|kashyap; गहलोत|gahlot; चतुर्वेदी|chaturvedi; दुबे|dubey; पाठक|pathak; बंसल|bansal; भाटिया|bhatia; यादव|yadav; राठौड़|rathod; वर्मा|verma; श्रीवास्तव|shrivastava; सक्सेना|saksena; सोलंकी|solanki',
  ),
  table(
    'hebrew',
    'אורית|orit; אפרת|efrat; דנה|dana; הילה|hila; יעל|yael; מיכל|michal; נועה|noa; עינת|einat; רותם|rotem; שירה|shira; תמר|tamar',
    'אורי|uri; איתי|itay; אלון|alon; גיא|guy; דורון|doron; יונתן|yonatan; ליאור|lior; נדב|nadav; עמית|amit; רועי|roi; תומר|tomer',
    'אברמוב|avramov; אלמוג|almog; בן דוד|ben-david; ברקת|bareket; גולן|golan; הררי|harari; זמיר|zamir; כרמי|carmi; לוינסקי|levinsky; מזור|mazor; נחמני|nachmani; סגל|segal; פלד|peled; צור|tzur; קדוש|kadosh; רוזנברג|rosenberg; שגיא|sagi',
  ),
  table(
    'thai',
    'กนกวรรณ|kanokwan; จิราพร|jiraporn; ณัฐธิดา|natthida; นภาพร|napaporn; ปวีณา|paweena; พิมพ์ชนก|pimchanok; วราภรณ์|waraporn; สุดารัตน์|sudarat; อรทัย|orathai',
    'กิตติ|kitti; ชัยวัฒน์|chaiwat; ณัฐพล|nattapon; ธนากร|thanakorn; ปิยะ|piya; พีรพงษ์|peerapong; วิชัย|wichai; สมชาย|somchai; อนุชา|anucha',
    'แก้วมณี|kaewmanee; จันทร์แก้ว|jankaew; ชูศรี|chusri; ทองสุข|thongsuk; ธรรมรักษ์|thammarak; บุญมี|boonmee; พรหมดี|promdee; ศรีสวัสดิ์|srisawat; สุวรรณรัตน์|suwannarat; อินทรกุล|intarakul',
  ),
];
