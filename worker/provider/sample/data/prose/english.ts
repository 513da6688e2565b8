// English sentences for descriptions, summaries, posts and website titles.
import type { Sector } from '../../vocabulary.ts';

// Slots: {name} {does} {makes} {make} {other} {buyers} {buyer} {city} {country} {year} {age} {staff} {offices}
// {verb} {verbs} {verbing} {industry} {anDoes} {cityBased} {aCityBased}. `#50 ` needs 50 employees, `-50 ` at most 50,
// `@1985 ` founded by 1985.

/** First sentences in the third person. */
export const OPENERS_THIRD: readonly string[] = [
  '{name} {verbs} {makes} for {buyers}.',
  '{name} is {anDoes} [company|business] based in {city}.',
  '{name} is [an independent|a privately owned|a fast-growing] {does} [company|business] in {city}.',
  '{name} is a provider of {makes}.',
  '{name} offers {buyers} a complete range of {make} and {other}.',
  '{name} specialises in {makes}.',
  '{name} is active in {does}, with a focus on {make} and {other}.',
  '{name} ({city}, {land}) {verbs} {makes}.',
  '#30 Headquartered in {city}, {name} serves {buyers} with {makes}.',
  '@2010 With more than {ageRounded} years of experience in {does}, {name} {verbs} {makes}.',
  '@2004 +1930 Established in {year}, {name} has become a trusted partner of {buyers}.',
  '#40 {name} is {aCityBased} {does} company that {verbs} {makes}.',
  'Based in {city}, {name} {verbs} {makes}.',
  'From [its base|a former mill|two floors|a converted warehouse|an old school building] in {city}, {name} {verbs} {makes} for {buyers}.',
  'Founded in {year}, {name} {verbs} {makes} for {buyers}.',
  '{name} was [founded|set up|started] in {year} by [two former colleagues|a pair of engineers|three school friends|a brother and sister|a retired teacher and her nephew] who thought that {buyers} deserved better.',
  'Since {year}, {buyers} have come to {name} for {makes}.',
  '{Buyers} [rely on|turn to|know] {name} for {makes}.',
  'When {buyers} need {makes}, they [call|ring|write to] {name}.',
  '{Makes}: that is what {name} does best.',
  '{Makes} are the daily business of {name} in {city}.',
  'Few companies in {country} know as much about {make} as {name}.',
  '[It takes a certain stubbornness|You need patience|It is not always easy] to keep {verbing} {make} in {city}; {name} [has managed so far|does it all the same|would not do anything else].',
  'The people behind {name} have been {verbing} {make} for most of their working lives.',
  'What began as a [side project|favour for a neighbour|one-room business|bet between friends|night-school assignment] in {city} is now {name}, which {verbs} {makes}.',
  'Ask {buyers} in {country} about {make}, and the name {name} comes up sooner or later.',
  '[Not many companies|Few businesses in {country}|Only a handful of firms] {verb} both {make} and {other}; {name} does.',
  '{name} exists because {buyers} were tired of waiting for decent {make}.',
  '#200 With {staff} employees, {name} is [one of the larger names|among the larger employers|a well-known name] in {does} in {country}.',
  '#80 {name} employs {staff} people and {verbs} {makes}.',
  '#60 @1975 For more than {ageRounded} years, {name} has been {verbing} {make} in {city}.',
  '@1960 Four generations have run {name} since {year}.',
  '@1990 Still [family-owned|independent|run by its founders’ children] after {age} years, {name} {verbs} {makes}.',
  '#1000 {name} is [an international|a leading|a global] provider of {make} and {other}, with {staff} employees [worldwide|across several continents|at home and abroad].',
  '#500 The {name} group brings together several companies that {verb} {makes}.',
  '-12 #2 {name} is {staff} people, one [dog|kettle|van] and a great deal of {make}.',
  '-30 {name} is a small team from {city} with one subject: {make}.',
  'There are easier ways to earn a living than {verbing} {make}, but {name} has never looked for one.',
  'In [a quiet street|an industrial estate|a back yard] in {city}, {name} {verbs} {makes}.',
  '{City} is home to {name}, which {verbs} {makes} for {buyers}.',
];

/** First sentences that say "we". */
export const OPENERS_WE: readonly string[] = [
  'We {verb} {makes} for {buyers}.',
  'At {name}, we {verb} {makes}.',
  'We are {name}, and we {verb} {makes}.',
  'Our [work|business|trade] is {make}; our home is {city}.',
  'We started {name} in {year} because {buyers} kept asking us for {make}.',
  'We believe {make} should be simple. That is why we started {name}.',
  'Hello from {city}! We are {name} and we {verb} {makes}.',
  'For {age} years we have been {verbing} {make} for {buyers}.',
  'We provide {buyers} with {makes}.',
  'We offer {makes}, from the first enquiry to after-sales service.',
  'As a specialist in {does}, we support {buyers} throughout {country}.',
  'We are passionate about {make}.',
  'Our mission is to give {buyers} {make} that they can rely on.',
  'We help {buyers} with {make} and {other}.',
  '{Make}, {other} and everything in between: we have been at it since {year}.',
  'Everything we do starts with a conversation, usually about {make}.',
  'Good {make} are no accident. At {name} they are the result of [years of practice|long evenings|many small corrections].',
  '-25 We are a small team in {city} that cares a lot about {make}.',
  '#100 We are more than {staffFloor} people in {city} and beyond, {verbing} {makes}.',
  'You will find us in {city}, {verbing} {make} and arguing about coffee.',
  'Our customers are {buyers}; our subject is {make}.',
  '[Whether it is|Be it] {make} or {other}, [we treat every job as if it were our own|we know what we are doing|you can count on us].',
];

/** First sentences for schools, charities, museums and colleges. */
export const OPENERS_CIVIC: readonly string[] = [
  '{name} {verbs} {makes} for {buyers}.',
  'In {city} and the villages around it, {name} {verbs} {makes}.',
  'Founded in {year} by [a group of neighbours|local families|a retired headmaster|members of the parish], {name} {verbs} {makes}.',
  '{name} is there for {buyers}.',
  '{Buyers} come to {name} for {makes}.',
  'Since {year}, {name} has opened its doors to {buyers}.',
  'It was a public meeting in {city} in {year} that led to {name}.',
  'Independent and open to all, {name} {verbs} {makes}.',
  'From {city}, {name} {verbs} {makes}.',
  '{name} began with one room and a borrowed piano.',
];

/** Second sentences that take up a hook which did not name the company. */
export const AFTER_HOOK: readonly string[] = [
  '{name} {verbs} {makes} for {buyers}.',
  '{name}, based in {city}, {verbs} {makes}.',
  '{name} has been {verbing} {makes} since {year}.',
  'In {city}, {name} {verbs} {makes}.',
  'We are {name}, and we {verb} {makes}.',
  'At {name} we know that, and we {verb} {makes} accordingly.',
  'So {name} {verbs} {makes}, mostly for {buyers}.',
  '{name} was founded on that idea in {year}.',
  'It is the first thing that new colleagues at {name} learn. The rest is {makes}.',
  '{Makes}: {name} takes care of the rest.',
  'The people at {name} in {city} have made that their work.',
  '{name} supports {buyers} with {makes}.',
];

/** How it began; each needs the founding year. */
export const HISTORY: readonly string[] = [
  'The company was founded in {year}.',
  'Established in {year}.',
  '@2014 More than {ageRounded} years on, some of the first customers are still on the books.',
  '+2014 @2023 Young enough to change its mind, it has done so twice since {year}.',
  '+2019 Founded in {year}, in the middle of everything.',
  'It all began in {year} with [one customer|a loan from an aunt|one room and a borrowed ladder].',
  '+1965 It all began in {year} with [a second-hand machine|a rented garage|two desks and a phone line|a printer that jammed].',
  '#12 @2017 Since {year} it has grown [slowly and on purpose|every year but two|from two people to {staff}].',
  '+1955 #2 The founders met at [a trade fair|evening classes|a bus stop|a football match|a wedding] in {year} and never got round to disagreeing.',
  '@2021 It started with {make} in {year}; {other} followed soon after.',
  '@2015 It has been profitable since its third year.',
  '@2000 Ownership passed to the staff in {n:2012-2023}.',
  '@1985 The present managing director is the founder’s granddaughter.',
  '@1995 The business moved to its present premises in {n:1998-2016} and has been filling them up since.',
  '@1970 Wars, floods and three currency reforms have come and gone since {year}.',
  '@2010 Over {age} years it has outlived most of its early competitors.',
  '@2012 In {year} it was a bold idea; today it is simply the way things are done.',
  '@2012 One of the first customers, signed in {year}, still orders every month.',
];

/** Where it is. */
export const PLACE: readonly string[] = [
  'Headquarters are in {city}.',
  'The team works from {city}[| and from wherever the train happens to be].',
  'Most of the team lives within cycling distance of the office in {city}.',
  'Work is done in {city}, and nowhere else.',
  'Being in {city} keeps the costs low and the people loyal.',
];

/** Where it is, when there are several offices. */
export const OFFICES: readonly string[] = [
  'Besides {city}, there {branches} in {offices}.',
  'Teams in {city}, {offices} work as one.',
  'It has sites in {city}, {offices}.',
  'From {city} the company has spread to {offices}.',
  'Branches: {city}, {offices}.',
];

/** How it works, for any business. */
export const GENERAL: readonly string[] = [
  'Most new customers come by recommendation.',
  'Prices are published, and so are delivery times.',
  'There is no sales department; there is a phone, and somebody answers it.',
  'Nothing leaves the house without a second pair of eyes.',
  'Suppliers are paid within a fortnight.',
  '[It|{name}] would rather turn a job down than do it badly.',
  'Growth is welcome, but it is not the plan.',
  'Every complaint ends up on the managing director’s desk.',
  '#10 Staff turnover is low, and the cake rota is strict.',
  'The company sets aside {w:2-5} per cent of its profit for [local clubs|tree planting|apprenticeships|a scholarship fund].',
  '@2017 Since [2019|2020|2021|2022] its operations have been climate neutral without offsets for the easy parts.',
  '-60 Everyone on the team talks to customers, including the people who would rather not.',
  '#30 A works council has existed for years, and both sides recommend it.',
  '#20 Apprentices and interns are paid properly and given real work.',
  '#150 An internal academy trains some {n:20-90} people a year.',
  '#400 Its shares are held by a foundation, which cannot sell them.',
  '#40 Roughly {n:34-61} per cent of managers are women.',
  '#25 {W:2-4} in ten employees work part time, in all departments.',
  '[Innovation, quality and integrity|Curiosity, care and good manners|Safety, quality and reliability] come first[, in that order|].',
  'Customers praise its [straight answers|patience|short reaction times|tidy invoices].',
  '@2015 Half of what it sells today did not exist five years ago.',
  '[It|{name}] works with [a handful of|some thirty|a dozen] partners, most of them nearby.',
  'Feedback is collected once a quarter and read aloud.',
  '[It|{name}] keeps its own stock, which has proved useful more than once.',
  'Part of every contract is a date on which somebody calls to ask how it is going.',
  'Whoever writes the offer also does the work.',
  'Big names are on the client list, but so is the shop next door.',
  '-40 The office dog is called [Biscuit|Mortgage|Pixel|Captain|Olive].',
  'Visitors say that it is quieter than they expected.',
  '[Two|Three] things are never outsourced: service and {make}.',
  'Tailor-made solutions are a matter of course.',
  'One-stop shop, one contact, one invoice.',
  'From small orders to framework contracts, everything gets the same attention.',
  'The team combines many years of experience with fresh eyes.',
  '#50 [It|{name}] has been named employer of the year in its region [twice|three times].',
  'References are available on request, good and bad.',
  'A reliable partner for demanding customers.',
  '#15 New colleagues spend their first week with customers.',
  'Long-term relationships count for more than quick wins.',
  'Certified to ISO 9001[ and ISO 14001|].',
  'Clients include {buyers}.',
  'A project usually [starts with a visit and a lot of questions|begins on site, with a notebook|takes less time than planned].',
];

/** Plainer sentences, the kind that larger companies like. */
export const CORPORATE: readonly string[] = [
  'Its portfolio also includes {make} for special requirements.',
  'Customer satisfaction, reliability and continuous improvement guide its work.',
  'Quality and environmental management are certified to international standards.',
  'A team of specialists supports customers from the first idea to the finished result.',
  'The product range is extended every year.',
  'Sustainability is an integral part of the company’s strategy.',
  'Long-standing partnerships with suppliers ensure availability and stable prices.',
  'The company invests continuously in training and technology.',
  '#30 Customers benefit from short decision paths and a dense service network.',
  '#100 The group consists of several independently managed business units.',
  '#60 About {n:6-19} per cent of staff work in research and development.',
  '#120 A {n:2028-2035} target for net-zero emissions has been adopted.',
  '#40 Recruiting and keeping skilled people is a priority of the management.',
  '@2000 It looks back on more than {ageRounded} years of company history.',
  '@2012 Steady growth has made it possible to finance investments from its own funds.',
  'Its work has been recognised with several regional awards.',
  'The company is a member of [the relevant industry associations|several trade bodies|its national trade association].',
  '[Flexibility and personal contact|Speed and reliability|Technical depth and short lines|Availability and price] are among its strengths.',
  'Further locations are being planned.',
  'Safety [at work has the highest priority|comes first|is part of everyone’s job].',
  'Products and services are available throughout {country}[ and in neighbouring countries|].',
];

/** The same, for companies whose customers are companies. */
export const CORPORATE_B2B: readonly string[] = [
  'Its customers range from small businesses to international groups.',
  'Services include consulting, planning, delivery and maintenance.',
  'The company serves customers in the private and the public sector.',
  '#200 More than half of revenue is generated outside {country}.',
  'Individual solutions are developed in close cooperation with {buyers}.',
  'Framework contracts with {buyers} form a stable basis.',
  'Technical advice is part of every order.',
];

/** The same, said by "we". */
export const GENERAL_WE: readonly string[] = [
  'We answer the phone ourselves.',
  'We are proud of our work and open about our mistakes.',
  'Our quotes are two pages long, and the second one is blank.',
  'If something goes wrong, we say so before you notice.',
  'We hire for curiosity and teach the rest.',
  'Our values? Be kind, be clear, be on time.',
  'We keep our promises small and our word.',
  'We work a four-day week, and the work gets done.',
  'Quality, innovation and customer satisfaction are our priorities.',
  'We like difficult customers; they notice things.',
  'Our customers stay with us for {w:5-12} years on average.',
  'We are always looking for partners who share our vision.',
  'Ask us anything. We have probably asked ourselves already.',
  'We would love to hear about your project.',
  'Small enough to care, big enough to deliver.',
  'We put people first, then paperwork.',
  'We take pride in [doing ordinary things well|answering within the hour|never having missed a delivery date].',
  'Our motto: [measure, then decide|less, but better|slowly is fine, sloppily is not|leave it better than you found it].',
  'We do not do everything, but what we do, we do thoroughly.',
  '-10 It is just us, so you always talk to the right person.',
  '#8 Every one of us has a say in whom we work for.',
  'Transparency matters to us: you see what we see.',
  '#15 Our team comes from {w:5-14} countries and has lunch together.',
  '-15 No receptionist, no slogans, no minimum order.',
];

/** One more detail per sector, for any of its trades. */
export const SECTOR_LINES: Readonly<Record<Sector, readonly string[]>> = {
  software: [
    'Releases go out on Tuesdays, never on Fridays.',
    'Customer data can be exported in full at any time.',
    'An uptime of 99.{n:91-99} per cent was reached last year.',
    'The road map is public, and customers vote on it.',
    'SOC 2 and ISO 27001 audits are passed every year.',
  ],
  industry: [
    'Development, production and service share one roof.',
    'Exports account for about {n:28-76} per cent of sales.',
    '#60 The plant runs in [two|three] shifts.',
    'Energy comes from the company’s own roof, at least in summer.',
    'Quality management follows ISO 9001, common sense and a very long checklist.',
  ],
  building: [
    'Deadlines are kept, weather permitting and often when it does not.',
    'References can be visited by appointment.',
    'Safety meetings start every working day.',
    'Local firms get the subcontracts wherever possible.',
  ],
  food: [
    'Waste is weighed every evening.',
    'Visitors are welcome, hungry ones especially.',
    'Supplies come from as close by as the seasons allow.',
    'Allergies are taken seriously and written down.',
  ],
  health: [
    'Quality is audited by outsiders every year.',
    'Training is continuous, and paid.',
    'Complaints are answered in person.',
    'Research partnerships exist with [a university hospital nearby|two universities|several teaching hospitals].',
  ],
  advice: [
    'First conversations are free of charge.',
    'Conflicts of interest are checked before the first meeting.',
    'Clients can reach a partner at any time.',
    'Fees are agreed in writing and in advance.',
  ],
  retail: [
    'Returns are free, and so is advice against buying.',
    'Repairs are part of the business.',
    'Everything is photographed as it is, scratches included.',
    'Packaging is plain, recycled and reused.',
  ],
  transport: [
    'Dispatch is staffed around the clock.',
    'Drivers are employed, trained and listened to.',
    'Every consignment can be followed from door to door.',
    'Emissions are reported per tonne and kilometre.',
  ],
  civic: [
    'Volunteers are always welcome.',
    'Funding comes from members, donors and the [city|region|county].',
    'The building is open to everyone during the holidays.',
    'Decisions are taken at an annual meeting that anybody may attend.',
  ],
  media: [
    'Awards are kept in the toilet.',
    'Freelancers are paid on the day the invoice arrives.',
    'Small budgets are welcome if the idea is not.',
    'The client list is short, varied and loyal.',
  ],
  energy: [
    'Every site is monitored day and night.',
    'Neighbours are consulted before the first drawing is made.',
    'Old equipment is taken back and recycled.',
    'Projects are kept for their whole lifetime rather than sold on.',
  ],
};

/** Last sentences. */
export const CLOSERS: readonly string[] = [
  'Get in touch.',
  'We are hiring.',
  'See you in {city}?',
  'Visit our website to find out more.',
  'Questions? Send us a message.',
  'Follow us for [news and open positions|updates|behind-the-scenes pictures|job openings].',
  '[Come and see for yourself.|Come by.|Drop in any weekday.]',
  'Part-time applications are welcome.',
  'Proud member of the local chamber of commerce.',
];

/** Last sentences for schools, charities, museums and colleges. */
export const CLOSERS_CIVIC: readonly string[] = [
  'Come in and have a look.',
  'Volunteers and donations are welcome.',
  'Opening times are on the website.',
  'Registered charity.',
];

/** One-sentence summaries. */
export const SUMMARIES: readonly string[] = [
  '{name} {verbs} {makes} for {buyers}.',
  '{name} is {anDoes} company in {city} that {verbs} {makes}.',
  '{name} is [an established|a growing] {does} company in {city} that {verbs} {makes}.',
  '{name}, headquartered in {city}, {land}, {verbs} {makes} for {buyers}.',
  '{name} serves {buyers} with {makes}.',
  'Based in {city}, {name} focuses on {does}, in particular {make} and {other}.',
  '{name} specialises in {make} and {other} for {buyers}.',
  'The {cityBased} company {verbs} {makes}, mainly for {buyers}.',
  '{name} works in {does} and is best known for its {make}.',
];

/** One-sentence summaries of schools, charities, museums and colleges. */
export const SUMMARIES_CIVIC: readonly string[] = [
  '{name} in {city} {verbs} {makes} for {buyers}.',
  '{name} is an organisation in {city}, {land}, that {verbs} {makes}.',
  '{name} is dedicated to {does} and works with {buyers} in and around {city}.',
];

/** Titles of websites. */
export const TITLES: readonly string[] = [
  '{name}',
  '{name} | {Does} in {city}',
  '{Does} – {name}',
  'Home | {name}',
  '{name}: {make} and {other}',
  '{name} – {make}, {other} and more',
  'Welcome to {name}',
];

/** Search-engine descriptions of websites. */
export const META: readonly string[] = [
  '{Make}, {other} and more from {city}.',
  '{name} {verbs} {makes}. [Find out more.|Get a quote today.|Read our story.]',
  'Looking for {make}? {name} has been there for {buyers} since {year}.',
  '{Does} for {buyers}.',
  'Discover {make} and {other} by {name}.',
];

/** The same for schools, charities, museums and colleges. */
export const META_CIVIC: readonly string[] = [
  '{name} {verbs} {makes}. [Find out more.|Join us.|How to help.]',
  '{Make}, {other} and more in {city}.',
  'Opening times, contact and news of {name}.',
  '{name} in {city}: {make} for {buyers}.',
];

/** Posts on the professional network. */
export const POSTS: readonly string[] = [
  '#5 We are hiring! [Three|Five|Eight|Two|Several] positions are open in {city}. Link in the comments.',
  'A big thank you to everyone who stopped by our stand. We have gone home with sore feet and {n:40-190} business cards.',
  '#8 Please join us in welcoming [Ingrid, Tomasz and Lerato|our new apprentices|the new service team|Dr. Adeyemi|Salma and Piotr|our working students] to the team!',
  '#6 It is official: our new [site|hall|office|workshop] in {city} is open. The coffee machine arrived first, obviously.',
  'New on the blog: what {buyer} told us about our {make}.',
  '[Ten|Seven|Five] things that we wish we had known about {make}. Number four cost us a weekend.',
  '#12 @2008 After {n:9-16} years with us, [Maureen|Piet|Yusuf|Annelise|Gerardo|Mrs Okafor] is retiring. Thank you for everything, and for the cakes.',
  '#100 Our annual report is out. It has pictures.',
  '#10 Audit passed without a single finding. So proud of this team.',
  '#15 Save the date: open day on [14 May|6 June|21 September|3 October], from ten o’clock, with tours every half hour.',
  '#5 We planted {n:200-900} trees on Saturday. Some of them are even upright.',
  'Lovely piece in the local paper about our {make} today.',
  'Poll: what matters most to you in {make}? Price, quality, delivery, or people who pick up the phone?',
  'Our office will be closed between the holidays. The hotline will not.',
  'First storm of the season in {city}, first power cut, first real test for the backup plan. It worked.',
  'Great discussion on the panel today about the future of {does}. Thanks to the organisers for having us.',
  'Did you know? {line}',
  '{line} #{tag}',
  'A question that we get a lot: how long does it take? Our answer has not changed in years: [longer than promised elsewhere, shorter than feared|ask us after lunch|until it is right].',
  '{hook} #{tag}',
  'Monday morning at {name}. {hook}',
  'Happy birthday to us! {Age} years in {city}.',
  'This week we visited {buyer} and came back with a long list. Thank you for your honesty.',
  '@1995 From the archive: a photograph of our team in {year}. Look at those ties.',
  'We are proud to support [the youth team of the local football club|the school library|the volunteer fire brigade|the neighbourhood food bank] again this year.',
  'Three new [case studies|videos|customer stories] about {make} are online. Popcorn not included.',
  'Behind the scenes: {line}',
  'Thank you for {fans} followers!',
  'Meet us at the spring fair, stand {n:3-9}B{n:12-48}. We bring {make} and biscuits.',
  'Webinar on Thursday: {make} for beginners. Register through the link in our profile.',
];

/** Posts of schools, charities, museums and colleges. */
export const POSTS_CIVIC: readonly string[] = [
  'Thank you to all the volunteers who made Saturday possible.',
  'Our open day is on [14 May|6 June|21 September]. Everyone is welcome.',
  'We are looking for a [caretaker|treasurer|piano|bookkeeper]. Please share!',
  'The annual report is online, with all figures and a photograph of the cat.',
  'A wonderful afternoon with {buyer} in {city}.',
  'The new programme is online. Come along and bring somebody.',
  'Did you know? {line}',
  '{hook}',
  'Two small grants have come in this month. We are very grateful.',
];
