// English sentences for job postings.

// Slots as in profiles; {name} is the company, {wanted} the title, {aWanted} the same with its article.

/** First paragraphs. */
export const JOB_INTROS: readonly string[] = [
  '{name} is looking for {aWanted} to join [our team|the team|a growing team] in {city}.',
  'We are looking for {aWanted} in {city}.',
  '{name} is hiring {aWanted}.',
  'Are you looking for work where you can see in the evening what you have done? Then read on.',
  'We {verb} {makes}, and we need another pair of hands.',
  'An exciting opportunity has arisen for {aWanted} at {name} in {city}.',
  'Our {city} office is growing, and so should the team: we are looking for {aWanted}.',
  'Due to [continued growth|a retirement|parental leave|a full order book], {name} is seeking {aWanted}.',
  'Have you ever wondered who makes sure that {buyers} get their {make}? It could be you.',
  'Join {name} and help us {verb} {makes} for {buyers}.',
  'This is a [new|key|hands-on] role in our {city} team.',
  'No jargon, no open-plan slide. Just a good job with good people in {city}.',
  '{name} {verbs} {makes} for {buyers}. To strengthen our team we are looking for {aWanted}.',
  'Position: {wanted}\nLocation: {city}\nStart: [as soon as possible|by arrangement|next month|immediately]',
];

/** Headings of the three lists. */
export const JOB_HEADINGS = {
  about: ['About us', 'About {name}', 'Who we are', 'The company'],
  duties: [
    'What you will do',
    'Your tasks',
    'Responsibilities',
    'Key Responsibilities:',
    'The role',
    'RESPONSIBILITIES',
    'Duties',
  ],
  wants: ['What you bring', 'Your profile', 'Requirements', 'Qualifications:', 'About you', 'REQUIREMENTS'],
  offers: ['What we offer', 'Benefits', 'We offer', 'Why join us?', 'BENEFITS', 'What’s in it for you'],
} as const;

/** What is asked of anybody. */
export const JOB_WANTS: readonly string[] = [
  'At least {n:2-4} years of experience in a similar role',
  'Experience in {does} is welcome but not required',
  'Good written and spoken English',
  'Strong communication skills',
  'Ability to work on your own and in a team',
  'Confident use of office software',
  'A careful way of working',
  'Knowledge of {skill} and, ideally, {skill2}',
  'Willingness to learn',
  'The right to work in {country}',
  'A sense of humour',
];

/** What is asked of people with experience. */
export const JOB_WANTS_SENIOR: readonly string[] = [
  '{n:5-10}+ years of relevant experience',
  'Experience in leading people, with or without the title',
  'A track record you are happy to talk about',
  'Confidence in dealing with customers and management',
  'Experience with budgets',
];

/** What is asked of beginners. */
export const JOB_WANTS_JUNIOR: readonly string[] = [
  'No experience needed: we will train you',
  'You are enrolled at a university or have just finished your studies',
  'Curiosity, and the courage to ask',
  'Availability for at least [three|four|six] months',
];

/** What is offered. */
export const JOB_OFFERS: readonly string[] = [
  '{n:24-30} days of paid leave',
  'Flexible hours and up to {n:2-3} days a week from home',
  'A permanent contract after the trial period',
  'Pension scheme and health cover',
  'A thorough introduction with a colleague at your side',
  'A training budget that you may actually use',
  'Free parking and a shower for cyclists',
  'Discount on our {make}',
  'Fruit, coffee and a cat that nobody remembers hiring',
  'Overtime is paid or taken as time off',
  'Yearly bonus, depending on how we all do',
  'A friendly team with little turnover',
  'Modern equipment',
  'Four-day week possible',
  'Parental leave beyond the legal minimum',
  'Regular feedback, in both directions',
  'Life assurance',
  'A summer party and no karaoke',
  'Relocation support',
];

/** The same for the United States. */
export const JOB_OFFERS_US: readonly string[] = [
  'Medical, dental and vision insurance',
  '401(k) with company match',
  '{n:15-25} days of PTO plus federal holidays',
  'Hybrid schedule, {n:2-3} days in the office',
  'Paid parental leave',
  'Tuition reimbursement',
  'Employee discount on our {make}',
  'Annual bonus',
  'Short-term and long-term disability',
  'Casual dress, serious coffee',
];

/** Last lines. */
export const JOB_CLOSERS: readonly string[] = [
  'Please apply with your CV and a few lines about yourself.',
  'We look forward to hearing from you.',
  'Apply today. Interviews are held as applications come in.',
  'No agencies, please.',
  'Questions? Just call us.',
  'We read every application and answer every one.',
  '{name} is an equal opportunity employer. All qualified applicants will receive consideration.',
  'Closing date: the end of the month.',
  'We welcome applications from people of all backgrounds.',
  'If you do not tick every box, apply anyway.',
  'Please state your salary expectations and your earliest starting date.',
  'Only shortlisted candidates will be contacted.',
];

/** What is sometimes added to a title. */
export const TITLE_SUFFIXES: readonly string[] = [
  ' - {city}',
  ' ({city})',
  ' – Remote',
  ' (Hybrid)',
  ' (Part-time)',
  ' - Night Shift',
  ' (m/f/d)',
  ' – Maternity Cover',
  ' (Fixed Term, 12 months)',
  ' | {does}',
  ' - Immediate Start',
  ' II',
  ', {special}',
  ' – {special}',
];
