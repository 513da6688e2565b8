// English sentences for people's profiles: headlines, what people say about themselves, what others say about them.

// Slots: {title} {company} {city} {country} {does} {anDoes} {make} {other} {buyers} {special} {skill} {skill2} {skill3}
// {years} (at least three) {field} {person} (given name). `[a|b]` chooses, `{n:3-9}` draws a number.

/** Headlines of people who work. */
export const HEADLINES: readonly string[] = [
  '{title} at {company}',
  '{title} at {company}',
  '{title} at {company}',
  '{title}',
  '{title}, {company}',
  '{title} @ {company}',
  '{title} | {company}',
  '{title} at {company} | {skill}',
  '{title} | {skill} | {skill2}',
  '{title} | {skill} & {skill2}',
  '{skill} | {skill2} | {skill3}',
  '{title} – {skill}, {skill2}',
  '{title} with {count}+ years of experience in {skill}',
  '{count}+ years in {does}',
  'Helping {buyers} with {make}',
  '{company} – {title}',
  '{title} • {company} • {city}',
  '{title} 🔹 {skill} 🔹 {skill2}',
  '{title} | {does} | {city}',
];

/** Headlines of people who look for work, and of students, in profiles of any other language. */
export const HEADLINES_ANYWHERE = {
  seeking: [
    'Open to work | {skill} | {skill2}',
    '{title} | {skill}',
    '{title}',
    '{skill} | {skill2} | {skill3}',
  ],
  student: ['{subject} | {school}', '{school}', '{school} – {subject}'],
} as const;

/** Headlines of people who look for work. */
export const HEADLINES_SEEKING: readonly string[] = [
  'Open to work | {skill} | {skill2}',
  '{title} seeking new opportunities',
  'Experienced in {skill}, open to new roles in {city}',
  'On parental leave',
  'Taking a break to [travel|study|look after family]',
  '{title} (available immediately)',
  'Former {title}',
];

/** Headlines of students. */
export const HEADLINES_STUDENT: readonly string[] = [
  'Student at {school}',
  '{subject} student at {school}',
  '{subject} | {school}',
  'Aspiring {title}',
  'Recent graduate in {subject}',
];

/** First sentences of what people say about themselves. */
export const ABOUT_FIRST: readonly string[] = [
  'I have worked in {does} for [more than {years} years|{count} years now], and I still learn something every [week|day].',
  'I am {aTitle} based in {city}.',
  'I am {aTitle} with a background in {skillLower} and {skill2Lower}.',
  '{title} with {years} years of experience in {does}.',
  '{title} with {count}+ years of experience [across {does} and related fields|in {skillLower} and {skill2Lower}].',
  'Experienced [professional|{title}] with a demonstrated history of working in {does}. Skilled in {skill}, {skill2} and {skill3}.',
  '[Motivated|Dedicated|Versatile|Committed] {title} with a strong interest in {skillLower}.',
  'My job at {company} is easily explained: {buyers} need {make}, and I see to it that they get them.',
  'I like problems that other people have given up on.',
  'I started out [on the shop floor|in a call centre|as an apprentice|in my uncle’s workshop|behind a counter|as a trainee] and never quite left it in spirit.',
  'I came to {does} by accident and stayed on purpose.',
  'Currently {title} at {company}, where I look after {skillLower} and whatever else needs doing.',
  'Currently working at {company} in {city}.',
  '[Results-driven|Detail-oriented|Hands-on], I bring {years} years of experience in {skillLower} and {skill2Lower}.',
  'Most of my working life has been about {make}. There are worse things.',
  '{years} years in {does}, [three|four|two] countries, one pair of good boots.',
  'What I enjoy most is the moment when [a team|a customer|a new colleague|an apprentice] says “Ah, now I see”.',
  'I help {buyers} with {make} and {other}.',
  'I help {buyers} get more out of {make}.',
  'At {company} I am responsible for {skillLower}.',
  'At {company} I divide my time between {skillLower} and {skill2Lower}.',
  'Curious by nature, patient by training.',
  'Passionate about {skillLower}, {skill2Lower} and doing things properly.',
  'I believe that good work is mostly good preparation.',
  'Since joining {company} I have worked on [everything from {make} to {other}|{make}, mostly, and on the people who use them|projects of every size].',
  'I am the person who reads the manual.',
  'I care about {make}. Somebody has to.',
  'How do you get {make} to {buyers} on time and in one piece? That question has kept me busy for {years} years.',
  'After {years} years I know a fair bit about {skillLower} and a little about everything else in {does}.',
  'I grew up [above a shop|on a farm|next to a railway line|in a family of teachers], which explains most of my habits.',
  'I enjoy the mix of people and detail that comes with {skillLower}.',
  'My path into {does} was anything but straight, and I would not change it.',
  'Trained in {subject}, employed in {does}, happy in both.',
  'I studied {subject} at {school} and have been putting it to use ever since.',
  'Team player, list maker, early riser.',
  'I work where {skillLower} meets {skill2Lower}.',
  'Looking after {buyers} is what I do, and {make} are how I do it.',
  'Specialised in {skillLower} and {skill2Lower}.',
  'Responsible for {skillLower} in [the whole region|{city} and beyond|a team of {n:3-19}].',
  'The short version: {skillLower}, {skill2Lower}, {city}.',
];

/** Further sentences; `#10 ` in front of what only people who lead others say. */
export const ABOUT_MORE: readonly string[] = [
  'My strengths are {skillLower}, {skill2Lower} and a good memory for names.',
  'Before that I worked for companies [large and small|of very different sizes|that taught me what not to do].',
  '#10 I have led teams of up to {n:4-26} people.',
  'I prefer a short call to a long e-mail.',
  'I am happiest when [a plan and a workshop meet|things work the first time|the phone rings and I know the answer].',
  'Colleagues describe me as [calm|direct|thorough|persistent|reliable|a safe pair of hands], and they are right most of the time.',
  'In my free time I [sing in a choir|coach an under-tens football team|restore old radios|run, slowly|keep bees|climb|volunteer at the food bank|bake|play the double bass|row|paint|grow far too many tomatoes].',
  'I mentor younger colleagues and learn at least as much from them.',
  'Always glad to talk about {skillLower}.',
  'If you work in {does} too, let us connect.',
  'I hold a strong belief that customers notice more than we think.',
  'Proven ability to [manage several projects at the same time|work under pressure|build good relationships with customers|meet deadlines].',
  'Strong communication skills, and stronger coffee.',
  'I speak at [local meetups|trade events|schools] now and then.',
  'Born elsewhere, at home in {city}.',
  'I am interested in how {buyers} really work, as opposed to how the brochure says they do.',
  'Outside work there are [two children|three children|a dog|a half-renovated house], a garden and not enough time.',
  'I do not have all the answers, but I know whom to ask.',
  'Looking to grow further in the field of {skillLower}.',
  'Opinions are my own.',
  'I enjoy working with people from [all walks of life|other trades|other countries].',
  'Good at {skillLower}; getting better at {skill2Lower}.',
  'My recent work has been about {make} and {other}.',
  'I am used to [tight deadlines|long sites and short nights|explaining things twice|working across time zones] and rather like it.',
  'What I look for in a team: honesty, humour and a working printer.',
  'Feel free to [get in touch|connect|drop me a line].',
  'Currently learning [Spanish|to sail|to say no|to delegate|Portuguese|carpentry].',
  'I have seen {does} change a great deal, and not only for the worse.',
  'Skilled in {skill}, {skill2} and {skill3}.',
  'I like clear goals and honest feedback.',
  'Available for [talks|a coffee in {city}|interesting questions].',
  'I believe in doing simple things well.',
  'Contact: [send me a message here|through this profile|by message, I answer within a day].',
];

/** Short notes under a position that do not list duties. */
export const POSITION_NOTES: readonly string[] = [
  '{company} {verbs} {makes}.',
  'Part of a team of {n:3-14}.',
  'Fixed-term contract, covering parental leave.',
  'Responsible for {skillLower} and {skill2Lower}.',
  'Reported to the managing director.',
  'Small team, short distances, everyone did everything.',
  'Promoted after [one year|eighteen months|two years].',
  'Joined when there were {n:4-20} of us.',
  'Part-time alongside my studies.',
];

/** What colleagues write about a person; no pronoun of the person. */
export const PRAISE: readonly string[] = [
  'I worked with {person} for several years. Reliable, well prepared, and never too busy to answer a question.',
  '{person} has the rare gift of making complicated things sound simple without making them wrong.',
  'If you have the chance to work with {person}, take it.',
  '{person} was my first manager, and I still ask myself what {person} would do.',
  'Great attitude, great results. It was a pleasure to have {person} on the team.',
  'I had the pleasure of working with {person} on a difficult project. Calm, honest and always one step ahead.',
  '{person} joined us when things were messy and left them in order. I would hire {person} again tomorrow.',
  'Hard-working, thoughtful and funny. We miss {person} in the office.',
  'As a customer I appreciated that {person} told us what we did not need.',
  '{person} knows {skillLower} inside out and shares that knowledge generously.',
];

/** What people like and share. */
export const ACTIVITY_TITLES: readonly string[] = [
  'We are hiring! Come and join us in {city}.',
  'Five things I wish I had known before my first day as {aTitle}.',
  'Proud of this team.',
  'Thank you to everyone who visited our stand this week.',
  'What does good {skillLower} look like? A short thread.',
  'Today is my last day after {n:4-15} wonderful years.',
  'New website, same people.',
  'A small change that saved us hours every week.',
  'Looking for recommendations: who does good training in {skillLower}?',
  'Congratulations to our apprentices!',
  'Why we stopped having meetings on Thursdays.',
  'Happy to share that I have passed my exam.',
];

/** General skills that any profile may list. */
export const SOFT_SKILLS: readonly string[] =
  'Leadership; Teamwork; Communication; Customer Service; Microsoft Office; Microsoft Excel; Project Management; Problem Solving; Negotiation; Public Speaking; Time Management; Management; Training; Coaching; Strategic Planning; Team Building; Research; Presentation Skills; Budgeting; Process Improvement'.split(
    '; ',
  );

/** Voluntary work: organisation, role, cause. */
export const VOLUNTEERING: readonly (readonly [organization: string, role: string, cause: string])[] = [
  ['Tarnsbury Food Bank', 'Driver', 'Poverty Alleviation'],
  ['Riverside Youth Football', 'Coach', 'Children'],
  ['Harbour Lifeboat Friends', 'Crew Member', 'Disaster and Humanitarian Relief'],
  ['Old Mill Trust', 'Guide', 'Arts and Culture'],
  ['Green Mile Gardeners', 'Volunteer', 'Environment'],
  ['Open Door Shelter', 'Night Volunteer', 'Social Services'],
  ['Second Paw Rescue', 'Foster Home', 'Animal Welfare'],
  ['Learn Together Tutors', 'Maths Tutor', 'Education'],
  ['Parents’ Council', 'Treasurer', 'Education'],
  ['Hillside Community Choir', 'Committee Member', 'Arts and Culture'],
  ['Repair Café Northgate', 'Electronics Bench', 'Environment'],
  ['Girls Who Build', 'Mentor', 'Science and Technology'],
];

/** Associations that people belong to, and as what. */
export const ASSOCIATIONS: readonly (readonly [name: string, position: string | null])[] = [
  ['Guild of Project Practitioners', 'Member'],
  ['Institute of Practical Engineering', 'Chartered Member'],
  ['Regional Chamber of Commerce', 'Board Member'],
  ['Association of Young Professionals', null],
  ['Society for Quality in Industry', 'Member'],
  ['Alumni Association', 'Regional Coordinator'],
  ['Women in Trade and Technology', 'Mentor'],
  ['Federation of Small Workshops', 'Secretary'],
  ['Royal Society of Applied Arts and Crafts', 'Fellow'],
  ['Works Council', 'Deputy Chair'],
];

/** Awards: title, issuer; the issuer may be the employer. */
export const AWARDS: readonly (readonly [title: string, issuer: string | null])[] = [
  ['Employee of the Year', '{company}'],
  ['Sales Award', '{company}'],
  ['Dean’s List', '{school}'],
  ['Scholarship for Academic Excellence', '{school}'],
  ['Young Professional of the Year', 'Association of Young Professionals'],
  ['Best Paper Award', 'Society for Quality in Industry'],
  ['Innovation Prize', 'Regional Chamber of Commerce'],
  ['First Prize, Student Competition', '{school}'],
  ['Safety Award', '{company}'],
  ['Teaching Award', null],
];

/** Certificates: title, issuer, and the roles or areas of work that go for them. */
export const CERTIFICATES: readonly (readonly [title: string, issuer: string, fits: string])[] = [
  ['Certified Cloud Practitioner', 'Open Systems Academy', 'software sysadmin data'],
  ['Linux Administrator, Level 1', 'Open Systems Academy', 'software sysadmin'],
  ['Container Administrator', 'Open Systems Academy', 'software sysadmin'],
  ['Information Security Foundation', 'Board for Information Security', 'software sysadmin risk'],
  ['Secure Coding', 'Board for Information Security', 'software'],
  [
    'Certified CAD Professional',
    'Institute of Practical Engineering',
    'mechanical electrical civil architect',
  ],
  ['Functional Safety Engineer', 'Institute of Practical Engineering', 'mechanical electrical'],
  ['Fire Protection Planning', 'Institute of Practical Engineering', 'civil architect property'],
  ['High-Voltage Authorisation', 'Institute of Practical Engineering', 'electrical electrician maintenance'],
  ['Working at Height', 'Workplace Safety Council', 'electrician site maintenance'],
  [
    'Lean Six Sigma Green Belt',
    'Society for Quality in Industry',
    'quality production mechanical operations',
  ],
  ['ISO 9001 Lead Auditor', 'Society for Quality in Industry', 'quality'],
  ['Occupational Safety Representative', 'Workplace Safety Council', 'make move'],
  ['Certified Welder', 'Workplace Safety Council', 'maintenance'],
  ['Forklift Licence', 'Workplace Safety Council', 'production warehouse driver'],
  ['Site Management Safety Training', 'Workplace Safety Council', 'site civil'],
  ['Certified Sales Professional', 'Academy of Commerce', 'sell'],
  ['Negotiation Mastery', 'Lantern Hill Business School', 'sell lead lawyer'],
  ['CRM Administrator', 'Open Systems Academy', 'sales support marketing'],
  ['Certified Purchasing Manager', 'Academy of Commerce', 'buyer'],
  ['Investment Adviser Licence', 'Board of Practising Accountants', 'adviser'],
  ['Food Hygiene, Level 3', 'Institute of Food Safety', 'cook host foodtech'],
  ['HACCP Team Leader', 'Institute of Food Safety', 'foodtech quality cook'],
  ['Wine and Spirits, Level 2', 'Hospitality Training Board', 'host cook'],
  ['Personal Licence Holder', 'Hospitality Training Board', 'host events'],
  ['Customer Service Excellence', 'Academy of Commerce', 'support host store'],
  ['Event Safety Steward', 'Hospitality Training Board', 'events'],
  ['Personal Trainer, Level 3', 'Council for Clinical Training', 'trainer physio'],
  ['Certified Management Accountant', 'Board of Practising Accountants', 'accountant tax'],
  ['International Financial Reporting Diploma', 'Board of Practising Accountants', 'accountant tax'],
  ['Certified Risk Analyst', 'Board of Practising Accountants', 'risk'],
  ['Data Protection Officer', 'Board for Information Security', 'lawyer hr sysadmin'],
  ['Mediation Certificate', 'Lantern Hill Business School', 'lawyer hr social'],
  ['Excel Expert', 'Open Systems Academy', 'count'],
  ['Office Management Diploma', 'Academy of Commerce', 'office'],
  ['Advanced Life Support', 'Council for Clinical Training', 'nurse physician'],
  ['Wound Care Specialist', 'Council for Clinical Training', 'nurse'],
  ['Manual Therapy', 'Council for Clinical Training', 'physio'],
  ['Veterinary Dentistry Certificate', 'Council for Clinical Training', 'vet'],
  ['Mental Health First Aider', 'Council for Clinical Training', 'social teacher hr'],
  [
    'Teaching English to Speakers of Other Languages',
    'Lantern Hill Language Institute',
    'teacher lecturer editor',
  ],
  ['Safeguarding Children, Level 2', 'Education Standards Trust', 'teacher social'],
  ['Outdoor First Aid', 'Education Standards Trust', 'teacher trainer curator'],
  ['Higher Education Teaching Certificate', 'Education Standards Trust', 'lecturer'],
  ['Good Clinical Practice', 'Council for Clinical Training', 'research laboratory physician'],
  ['Good Laboratory Practice', 'Council for Clinical Training', 'laboratory research'],
  ['Data Analysis Professional', 'Open Systems Academy', 'data risk'],
  ['Machine Learning Specialisation', 'Lantern Hill Online', 'data software'],
  ['Pesticide Application Licence', 'Institute of Food Safety', 'agronomist'],
  ['Driver Certificate of Professional Competence', 'Transport Training Board', 'driver'],
  ['Dangerous Goods Safety Adviser', 'Transport Training Board', 'driver dispatcher warehouse'],
  ['Customs Declarant', 'Transport Training Board', 'dispatcher buyer'],
  ['User Experience Foundations', 'Lantern Hill Online', 'designer product'],
  ['Digital Marketing Certificate', 'Academy of Commerce', 'marketing editor'],
  ['Web Accessibility Specialist', 'Open Systems Academy', 'designer software'],
  ['Project Management Professional', 'Guild of Project Practitioners', 'projects consultant civil site'],
  ['Certified Scrum Master', 'Guild of Project Practitioners', 'projects product software'],
  ['Change Management Practitioner', 'Guild of Project Practitioners', 'consultant hr operations'],
  ['PRINCE2 Foundation', 'Guild of Project Practitioners', 'projects consultant operations'],
  ['Coaching Diploma', 'Lantern Hill Business School', 'hr recruiter consultant'],
  ['Blasting Licence', 'Workplace Safety Council', 'geologist'],
];

/** Titles of courses, and who offered them; an empty organiser means the employer. */
export const COURSES: readonly (readonly [title: string, organizer: string | null])[] = [
  ['First Aid at Work', 'Workplace Safety Council'],
  ['Presentation Skills', ''],
  ['Leading Teams', 'Lantern Hill Business School'],
  ['Business English', 'Lantern Hill Language Institute'],
  ['Excel for Finance', 'Open Systems Academy'],
  ['Introduction to Python', 'Lantern Hill Online'],
  ['Conflict Management', ''],
  ['Agile Fundamentals', 'Guild of Project Practitioners'],
  ['Time Management', null],
  ['Train the Trainer', 'Academy of Commerce'],
  ['Negotiating under Pressure', 'Academy of Commerce'],
  ['Statistics in Practice', null],
  ['Sustainable Business', 'Lantern Hill Online'],
];
