// Sentence templates by language, with slots such as {name} and {city}.
import { splitList } from './random.ts';

/** Templates of one language. Slots without a translation are filled in English. */
export interface Prose {
  /** Names of the industries within a sentence, in the order of `INDUSTRIES`; empty for English. */
  industries: readonly string[];
  /** A company describes itself. */
  about: readonly string[];
  more: readonly string[];
  /** A company's news. */
  news: readonly string[];
  /** A person describes themselves. */
  profile: readonly string[];
  /** The duties of a position. */
  duties: readonly string[];
  /** A job posting. */
  posting: readonly string[];
  /** An employee's post, and comments on it. */
  post: readonly string[];
  comments: readonly string[];
}

const en: Prose = {
  industries: [],
  about: splitList(
    '{name} offers {product} to {customers}.; {name} helps {customers} with {product}.; We are {name}, and {product} are our trade.; {name} of {city} has been making {product} for {customers} since the first day.; {customers} all over the country count on {name} for {product}.',
  ),
  more: splitList(
    'Our team in {city} answers every call itself.; We have grown with our customers and stayed close to them.; Quality, fair prices and short ways are what we stand for.; Founded in {year}, we are still run by the people who started.; Every order begins with a conversation.; We publish our prices and keep our dates.; Half of our people have been here for more than ten years.; Come and see us in {city}.',
  ),
  news: splitList(
    'We are hiring in {city}. All open positions are on our website.; Thank you to everybody who visited us at the fair. There were many good conversations about {product}.; New in our range: {product}. Ask us for a sample.; We have moved to larger rooms in {city}.; Our team has passed the audit without a remark. Well done!; Ten years of {product}: thank you to our customers.',
  ),
  profile: splitList(
    '{title} with {years} years of experience in {industry}. I like {skill} and clear words.; For {years} years I have worked in {industry}, mostly on {skill}.; I lead teams that care about {skill}. Before that I learnt the trade from the ground up.; Curious about everything around {skill}. Currently {title} at {name}.; {skill} is what I do best. Always glad to meet people from {city}.',
  ),
  duties: splitList(
    'Responsible for {skill} and for the customers of the region.; Built up {skill} from nothing and trained the team.; Worked with three departments on {product}.; Kept {skill} running and the budget in order.; Planned, measured and improved {skill}.; Looked after {customers} and their questions about {product}.',
  ),
  posting: splitList(
    '{name} is looking for a {title} in {city}. You know {skill} and enjoy working with {customers}.; Join {name} as {title}. You will work on {product} and be responsible for {skill}.; As {title} you take care of {skill} for {customers}. We offer thirty days of leave and a budget for learning.; Due to growth we are seeking a {title}. Experience with {skill} is welcome, curiosity is required.',
  ),
  post: splitList(
    'What {years} years in {industry} have taught me: {skill} is a team sport.; Today we finished a project that I am proud of: {product} for {customers}.; I am looking for people who know {skill}. Write to me!; Grateful for a great week with the team at {name}.; A question to everybody in {industry}: how do you handle {skill}?; I have learnt more about {skill} from mistakes than from books.',
  ),
  comments: splitList(
    'Congratulations!; Well said.; Great work.; Thanks for sharing.; I could not agree more.; Following.',
  ),
};

const de: Prose = {
  industries: splitList(
    'Software; IT-Beratung; IT-Sicherheit; Finanzdienstleistungen; Versicherungen; Gesundheit; Arzneimittel; Biotechnologie; erneuerbare Energien; Bau; Architektur; Immobilien; Einzelhandel; Lebensmittel; Gastronomie; Hotellerie; Logistik; Fahrzeugbau; Maschinenbau; Telekommunikation; Bildung; Werbung; Unternehmensberatung; Rechtsberatung; Personalvermittlung; Textilien',
  ),
  about: splitList(
    '{name} ist Ihr Partner für {industry} in {city}.; Seit {year} steht {name} für {industry} mit Verstand.; {name} macht {industry} einfach, für Kunden im ganzen Land.',
  ),
  more: splitList(
    'Unser Team ist klein und erfahren.; Wir wachsen mit unseren Kunden.; Qualität und Termintreue sind uns wichtig.; Besuchen Sie uns in {city}.; Viele von uns sind seit mehr als zehn Jahren dabei.',
  ),
  news: splitList(
    'Wir stellen ein! Alle offenen Stellen auf unserer Website.; Danke an alle, die uns auf der Messe besucht haben.; Wir sind in {city} in größere Räume gezogen.',
  ),
  profile: splitList(
    'Seit {years} Jahren in der Branche {industry} tätig, am liebsten mit {skill}.; {title} bei {name}. Neugierig auf alles rund um {skill}.',
  ),
  duties: splitList(
    'Verantwortlich für {skill} und die Kunden der Region.; Aufbau von {skill} und Einarbeitung des Teams.; Planung und Verbesserung von {skill}.',
  ),
  posting: splitList(
    '{name} sucht in {city} Verstärkung: {title}. Sie kennen {skill} und arbeiten gern im Team.; Wir bieten dreißig Tage Urlaub und suchen Menschen mit Freude an {industry}.',
  ),
  post: splitList(
    'Nach {years} Jahren in der Branche {industry} weiß ich: {skill} gelingt nur im Team.; Danke an das Team von {name} für eine großartige Woche.; Ich suche Menschen, die {skill} beherrschen. Schreibt mir!',
  ),
  comments: splitList('Glückwunsch!; Klasse!; Danke fürs Teilen.; Sehr gut gesagt.'),
};

const fr: Prose = {
  industries: splitList(
    'logiciel; conseil informatique; sécurité informatique; services financiers; assurance; santé; industrie pharmaceutique; biotechnologie; énergies renouvelables; bâtiment; architecture; immobilier; commerce de détail; agroalimentaire; restauration; hôtellerie; logistique; automobile; construction mécanique; télécommunications; formation; publicité; conseil en gestion; droit; recrutement; textile',
  ),
  about: splitList(
    '{name} est votre partenaire à {city} dans le secteur {industry}.; Depuis {year}, {name} met son savoir-faire ({industry}) au service de ses clients.; {name} rend le secteur {industry} plus simple, partout en France.',
  ),
  more: splitList(
    'Notre équipe est petite et expérimentée.; Nous grandissons avec nos clients.; La qualité et le respect des délais nous importent.; Venez nous voir à {city}.',
  ),
  news: splitList(
    'Nous recrutons ! Toutes les offres sont sur notre site.; Merci à tous ceux qui sont venus nous voir au salon.; Nous avons emménagé dans de nouveaux locaux à {city}.',
  ),
  profile: splitList(
    '{years} ans d’expérience ({industry}), avec un goût pour {skill}.; {title} chez {name}. Curieux de tout ce qui touche à {skill}.',
  ),
  duties: splitList(
    'Responsable de {skill} et des clients de la région.; Mise en place de {skill} et formation de l’équipe.',
  ),
  posting: splitList(
    '{name} recherche à {city} : {title}. Vous connaissez {skill} et aimez le travail en équipe.; Nous cherchons des personnes motivées par le secteur {industry}.',
  ),
  post: splitList(
    'Après {years} ans dans le secteur {industry}, je sais que {skill} est un travail d’équipe.; Merci à l’équipe de {name} pour cette belle semaine.',
  ),
  comments: splitList('Félicitations !; Bravo !; Merci du partage.'),
};

const es: Prose = {
  industries: splitList(
    'software; consultoría informática; ciberseguridad; servicios financieros; seguros; salud; farmacia; biotecnología; energías renovables; construcción; arquitectura; inmobiliaria; comercio minorista; alimentación; restauración; hostelería; logística; automoción; maquinaria industrial; telecomunicaciones; educación; publicidad; consultoría; derecho; selección de personal; textil',
  ),
  about: splitList(
    '{name} es su socio de {industry} en {city}.; Desde {year}, {name} ofrece {industry} con experiencia y cercanía.; {name} hace más fácil el sector de {industry}.',
  ),
  more: splitList(
    'Nuestro equipo es pequeño y experimentado.; Crecemos con nuestros clientes.; La calidad y los plazos nos importan.; Visítenos en {city}.',
  ),
  news: splitList(
    '¡Buscamos personal! Todas las ofertas están en nuestra página.; Gracias a todos los que nos visitaron en la feria.',
  ),
  profile: splitList(
    '{years} años de experiencia en {industry}, sobre todo en {skill}.; {title} en {name}. Me interesa todo lo relacionado con {skill}.',
  ),
  duties: splitList(
    'Responsable de {skill} y de los clientes de la región.; Planificación y mejora de {skill}.',
  ),
  posting: splitList(
    '{name} busca en {city}: {title}. Conoces {skill} y te gusta trabajar en equipo.; Buscamos personas con ganas de trabajar en {industry}.',
  ),
  post: splitList(
    'Después de {years} años en {industry} sé que {skill} es un trabajo de equipo.; Gracias al equipo de {name} por una gran semana.',
  ),
  comments: splitList('¡Enhorabuena!; ¡Muy bien!; Gracias por compartir.'),
};

const pt: Prose = {
  industries: splitList(
    'software; consultoria de TI; cibersegurança; serviços financeiros; seguros; saúde; farmacêutica; biotecnologia; energias renováveis; construção; arquitetura; imobiliário; varejo; alimentos; restaurantes; hotelaria; logística; automóveis; máquinas industriais; telecomunicações; educação; publicidade; consultoria; direito; recrutamento; têxteis',
  ),
  about: splitList(
    '{name} é o seu parceiro de {industry} em {city}.; Desde {year}, {name} trabalha com {industry} perto dos clientes.',
  ),
  more: splitList(
    'A nossa equipe é pequena e experiente.; Crescemos com os nossos clientes.; Venha nos visitar em {city}.',
  ),
  news: splitList(
    'Estamos contratando! Todas as vagas estão no nosso site.; Obrigado a todos que nos visitaram na feira.',
  ),
  profile: splitList('{years} anos de experiência em {industry}, com foco em {skill}.; {title} na {name}.'),
  duties: splitList(
    'Responsável por {skill} e pelos clientes da região.; Planejamento e melhoria de {skill}.',
  ),
  posting: splitList(
    '{name} procura em {city}: {title}. Você conhece {skill} e gosta de trabalhar em equipe.',
  ),
  post: splitList(
    'Depois de {years} anos em {industry}, sei que {skill} é trabalho de equipe.; Obrigado à equipe da {name}!',
  ),
  comments: splitList('Parabéns!; Muito bom!; Obrigado por compartilhar.'),
};

const uk: Prose = {
  industries: splitList(
    'програмне забезпечення; ІТ-консалтинг; кібербезпека; фінансові послуги; страхування; охорона здоров’я; фармацевтика; біотехнології; відновлювана енергетика; будівництво; архітектура; нерухомість; роздрібна торгівля; харчова промисловість; ресторани; готелі; логістика; автомобілебудування; машинобудування; телекомунікації; освіта; реклама; консалтинг; право; підбір персоналу; текстиль',
  ),
  about: splitList(
    '{name}: {industry} для клієнтів по всій країні.; З {year} року {name} працює у сфері «{industry}».',
  ),
  more: splitList(
    'Наша команда невелика й досвідчена.; Ми зростаємо разом із клієнтами.; Якість і терміни для нас важливі.',
  ),
  news: splitList(
    'Ми шукаємо нових колег. Усі вакансії на нашому сайті.; Дякуємо всім, хто відвідав нас на виставці.',
  ),
  profile: splitList(
    '{years} років досвіду у сфері «{industry}».; {title}, {name}. Цікавлюся всім, що стосується {skill}.',
  ),
  duties: splitList('Відповідав за {skill} та клієнтів регіону.; Планування та вдосконалення: {skill}.'),
  posting: splitList('{name} шукає співробітника: {title}. Ви знаєте {skill} і любите працювати в команді.'),
  post: splitList(
    'Після {years} років у сфері «{industry}» я знаю: {skill} — це командна робота.; Дякую команді {name} за чудовий тиждень.',
  ),
  comments: splitList('Вітаю!; Чудово!; Дякую, що поділилися.'),
};

const ja: Prose = {
  industries: splitList(
    'ソフトウェア; ITコンサルティング; 情報セキュリティ; 金融サービス; 保険; 医療; 医薬品; バイオテクノロジー; 再生可能エネルギー; 建設; 建築設計; 不動産; 小売; 食品; 飲食; ホテル; 物流; 自動車; 産業機械; 通信; 教育; 広告; 経営コンサルティング; 法務; 人材紹介; 繊維',
  ),
  about: splitList(
    '{name}は{industry}の会社です。; {name}は{year}年から{industry}を手がけています。; {industry}のことなら{name}にお任せください。',
  ),
  more: splitList(
    'お客様とともに成長してまいりました。; 品質と納期を大切にしています。; 経験豊かなチームがお手伝いします。',
  ),
  news: splitList('新しい仲間を募集しています。; 展示会にお越しいただき、ありがとうございました。'),
  profile: splitList('{industry}業界で{years}年の経験があります。; {name}で{title}を務めています。'),
  duties: splitList('{skill}と地域のお客様を担当。; {skill}の計画と改善。'),
  posting: splitList('{name}では{title}を募集しています。{skill}の経験がある方を歓迎します。'),
  post: splitList(
    '{industry}業界での{years}年間で学んだことは、{skill}はチームで行うということです。; {name}の皆さん、ありがとうございました。',
  ),
  comments: splitList('おめでとうございます。; すばらしいですね。; 勉強になります。'),
};

const zh: Prose = {
  industries: splitList(
    '软件; 信息技术咨询; 网络安全; 金融服务; 保险; 医疗; 制药; 生物技术; 可再生能源; 建筑; 建筑设计; 房地产; 零售; 食品; 餐饮; 酒店; 物流; 汽车; 工业机械; 通信; 教育; 广告; 管理咨询; 法律; 人才招聘; 纺织',
  ),
  about: splitList(
    '{name}专注于{industry}。; 自{year}年以来，{name}一直为客户提供{industry}服务。; {name}是您身边的{industry}伙伴。',
  ),
  more: splitList('我们与客户共同成长。; 我们重视质量和交货时间。; 我们的团队经验丰富。'),
  news: splitList('我们正在招聘，欢迎加入。; 感谢大家在展会上与我们见面。'),
  profile: splitList('在{industry}行业工作了{years}年。; 现任{name}的{title}。'),
  duties: splitList('负责{skill}和本地区的客户。; {skill}的规划与改进。'),
  posting: splitList('{name}诚聘{title}。熟悉{skill}，喜欢团队合作。'),
  post: splitList('在{industry}行业工作{years}年后，我明白{skill}离不开团队。; 感谢{name}的同事们。'),
  comments: splitList('恭喜！; 说得好。; 谢谢分享。'),
};

const ko: Prose = {
  industries: splitList(
    '소프트웨어; IT 컨설팅; 정보 보안; 금융 서비스; 보험; 의료; 제약; 생명 공학; 재생 에너지; 건설; 건축 설계; 부동산; 소매; 식품; 외식; 호텔; 물류; 자동차; 산업 기계; 통신; 교육; 광고; 경영 컨설팅; 법률; 채용; 섬유',
  ),
  about: splitList(
    '{name}은(는) {industry} 회사입니다.; {year}년부터 {name}은(는) {industry} 분야에서 일해 왔습니다.',
  ),
  more: splitList('고객과 함께 성장합니다.; 품질과 납기를 중요하게 생각합니다.'),
  news: splitList('함께 일할 동료를 찾습니다.; 전시회에서 만나 주셔서 감사합니다.'),
  profile: splitList('{industry} 분야에서 {years}년 동안 일했습니다.; {name}의 {title}입니다.'),
  duties: splitList('{skill} 및 지역 고객 담당.; {skill} 계획과 개선.'),
  posting: splitList('{name}에서 {title}을(를) 찾습니다. {skill} 경험자를 환영합니다.'),
  post: splitList(
    '{industry} 분야에서 {years}년 동안 배운 것은 {skill}이(가) 팀의 일이라는 점입니다.; {name} 팀에 감사드립니다.',
  ),
  comments: splitList('축하합니다!; 좋은 글이네요.; 공유 감사합니다.'),
};

const ar: Prose = {
  industries: splitList(
    'البرمجيات; استشارات تقنية المعلومات; أمن المعلومات; الخدمات المالية; التأمين; الرعاية الصحية; الأدوية; التقنية الحيوية; الطاقة المتجددة; البناء; الهندسة المعمارية; العقارات; تجارة التجزئة; الأغذية; المطاعم; الفنادق; الخدمات اللوجستية; السيارات; الآلات الصناعية; الاتصالات; التعليم; الإعلان; الاستشارات; القانون; التوظيف; المنسوجات',
  ),
  about: splitList('تعمل {name} في مجال {industry}.; منذ عام {year} تخدم {name} عملاءها في مجال {industry}.'),
  more: splitList('فريقنا صغير وذو خبرة.; ننمو مع عملائنا.; تهمنا الجودة والمواعيد.'),
  news: splitList('نبحث عن زملاء جدد. جميع الوظائف على موقعنا.; شكرا لكل من زارنا في المعرض.'),
  profile: splitList('خبرة {years} سنوات في مجال {industry}.; أعمل في {name}: {title}.'),
  duties: splitList('مسؤول عن {skill} وعن عملاء المنطقة.; تخطيط وتحسين {skill}.'),
  posting: splitList('تبحث {name} عن {title} لديه خبرة في {skill}.'),
  post: splitList('بعد {years} سنوات في مجال {industry} تعلمت أن {skill} عمل جماعي.; شكرا لفريق {name}.'),
  comments: splitList('مبروك!; أحسنت.; شكرا على المشاركة.'),
};

export const PROSE = { en, de, fr, es, pt, uk, ja, zh, ko, ar } as const;

/** Languages of texts. */
export type Language = keyof typeof PROSE;

function isLanguage(name: string): name is Language {
  return Object.hasOwn(PROSE, name);
}

/** Reads the name of a language. @throws Error if there are no templates for it */
export function readLanguage(name: string): Language {
  if (!isLanguage(name)) throw new Error(`There are no templates for ${name}.`);
  return name;
}
