// Where people have studied and what, and which languages they speak.

import { HOSTS } from '../data/catalogue.ts';
import { SPOKEN_IN, TONGUE_OF_NAMES } from '../data/people/cultures.ts';
import { UNIVERSITIES, UNIVERSITY_GROUP } from '../data/people/schools.ts';
import { VOICES } from '../data/people/voices/index.ts';
import { profileUrl } from '../presence.ts';
import { type Random, randomFor, type Weighted } from '../random.ts';
import { wordOf } from '../text.ts';
import type { Language } from '../vocabulary.ts';
import type { Career } from './career.ts';
import type { Person } from './person.ts';
import { type Degrees, type Subject, TONGUES } from './vocabulary.ts';

/** A school that somebody went to. */
export interface School {
  name: string;
  url: string | null;
  degree: string | null;
  subject: string | null;
  /** years; null where the profile gives none */
  from: number | null;
  to: number | null;
  note: string | null;
  societies: string | null;
}

const SOCIETIES = [
  'Debating Society',
  'Rowing Club',
  'Student Council',
  'Chess Club, Choir',
  'Engineering Society',
  'Orchestra',
  'Student newspaper',
  'Football, Drama Society',
];

type Rung = keyof Degrees;

/** Subjects in English. */
const SUBJECT_NAMES: Readonly<Record<Subject, readonly string[]>> = {
  computing: ['Computer Science', 'Information Technology', 'Software Engineering', 'Information Systems'],
  mathematics: ['Mathematics', 'Statistics', 'Physics'],
  mechanics: ['Mechanical Engineering', 'Industrial Engineering', 'Production Engineering'],
  electronics: ['Electrical Engineering', 'Electronics', 'Mechatronics'],
  construction: ['Civil Engineering', 'Structural Engineering', 'Construction Management'],
  architecture: ['Architecture', 'Urban Planning', 'Interior Architecture'],
  business: ['Business Administration', 'Management', 'Marketing', 'Accounting', 'Business Studies'],
  economics: ['Economics', 'Finance', 'Banking and Finance'],
  law: ['Law', 'International Law', 'Business Law'],
  medicine: ['Medicine', 'Medicine and Surgery', 'Dentistry'],
  nursing: ['Nursing', 'Midwifery', 'Health Care Management'],
  therapy: ['Physiotherapy', 'Sports Science', 'Occupational Therapy'],
  veterinary: ['Veterinary Medicine'],
  biology: ['Biology', 'Biotechnology', 'Biochemistry', 'Molecular Biology'],
  chemistry: ['Chemistry', 'Chemical Engineering', 'Materials Science'],
  food: ['Food Technology', 'Nutrition', 'Brewing and Beverage Technology', 'Culinary Arts'],
  farming: ['Agriculture', 'Horticulture', 'Viticulture'],
  geology: ['Geology', 'Mining Engineering', 'Earth Sciences'],
  teaching: ['Education', 'Primary Education', 'Early Childhood Education'],
  psychology: ['Psychology', 'Organisational Psychology', 'Sociology'],
  socialwork: ['Social Work', 'International Development', 'Community Studies'],
  design: ['Graphic Design', 'Product Design', 'Fine Arts', 'Visual Communication'],
  media: ['Media Studies', 'Journalism', 'Film and Television', 'Communication'],
  literature: ['English Literature', 'Modern Languages', 'Translation Studies', 'Linguistics'],
  history: ['History', 'History of Art', 'Archaeology', 'Philosophy'],
  tourism: ['Hospitality Management', 'Tourism', 'Hotel Management'],
  logistics: ['Supply Chain Management', 'Logistics', 'International Trade'],
};

const SCIENCES: ReadonlySet<Subject> = new Set<Subject>([
  ...([
    'computing',
    'mathematics',
    'biology',
    'chemistry',
    'food',
    'farming',
    'geology',
    'psychology',
  ] as const),
]);
const ENGINEERING: ReadonlySet<Subject> = new Set<Subject>(['mechanics', 'electronics', 'construction']);

/** English names of a degree. */
function englishDegree(rung: Rung, subject: Subject, random: Random): string {
  const letter = SCIENCES.has(subject) ? 'Science' : ENGINEERING.has(subject) ? 'Engineering' : 'Arts';
  const short = SCIENCES.has(subject) ? 'Sc' : ENGINEERING.has(subject) ? 'Eng' : 'A';
  if (subject === 'law' && rung === 'bachelor') return random.pick(['LLB', 'Bachelor of Laws']);
  if (subject === 'law' && rung === 'master') return 'LLM';
  if (subject === 'business' && rung === 'master')
    return random.pick(['MBA', 'Master of Business Administration', 'MSc']);
  if (subject === 'medicine' && rung !== 'trade') return random.pick(['MD', 'Doctor of Medicine', 'MBBS']);
  switch (rung) {
    case 'trade':
      return random.pick(['Diploma', 'Apprenticeship', 'Certificate', 'Associate’s degree']);
    case 'bachelor':
      return random.pick([`Bachelor of ${letter}`, 'Bachelor’s degree', short === 'A' ? 'BA' : `B${short}`]);
    case 'master':
      return random.pick([`Master of ${letter}`, 'Master’s degree', short === 'A' ? 'MA' : `M${short}`]);
    case 'doctor':
      return random.pick(['PhD', 'Doctor of Philosophy', 'Doctorate']);
  }
}

/** A university of the country, now and then a college that is one of the sample's companies. */
function institution(person: Person, random: Random): { name: string; url: string | null } {
  const colleges = person.hood.colleges.get(person.country.key) ?? [];
  if (colleges.length > 0 && random.chance(190)) {
    const college = random.pick(colleges);
    return { name: college.name, url: profileUrl('company', college.identity.shorthand) };
  }
  const key = person.country.key;
  const group = UNIVERSITIES[key] === undefined ? (UNIVERSITY_GROUP[key] ?? 'GB') : key;
  const word = wordOf(random.pick(UNIVERSITIES[group] ?? []));
  const url = `https://${HOSTS.professional}/school/${word.slug}`;
  return { name: word.text, url: random.chance(870) ? url : null };
}

function rungsFor(career: Career, random: Random): Rung[] {
  const { role } = career.calling;
  if (!random.chance(Math.max(role.academic, 60))) return random.chance(620) ? ['trade'] : [];
  if (role.area === 'study' && role.academic === 1000 && random.chance(700))
    return ['doctor', 'master', 'bachelor'];
  if (role.role === 'lecturer') return random.chance(700) ? ['doctor', 'master'] : ['master', 'bachelor'];
  const ladders: Weighted<Rung[]> = [
    [['bachelor'], 52],
    [['master', 'bachelor'], 26],
    [['master'], 13],
    [['bachelor', 'trade'], 6],
    [['doctor', 'master'], role.area === 'build' || role.area === 'care' ? 5 : 1],
  ];
  return random.weighted(ladders);
}

function noteOn(subject: Subject, country: string, random: Random): string {
  const field = random.pick(SUBJECT_NAMES[subject]);
  return random.pick([
    country === 'DE' || country === 'AT'
      ? `Thesis in ${field}, grade 1.${random.int(0, 7)}`
      : `Thesis in ${field}`,
    'Graduated with honours',
    `Focus on ${field}`,
    country === 'US' || country === 'CA' ? `GPA 3.${random.int(4, 9)}/4.0` : 'Scholarship',
    'One term abroad',
    'Evening classes alongside work',
  ]);
}

const LENGTH: Readonly<Record<Rung, readonly [low: number, high: number]>> = {
  trade: [1, 3],
  bachelor: [3, 4],
  master: [1, 2],
  doctor: [3, 5],
};

/**
 * The schools of a person, the latest first.
 *
 * @param person the person
 * @param career the person's career
 * @returns none to three
 */
export function schoolsOf(person: Person, career: Career): School[] {
  const random = randomFor(person.seed, 'schools', person.index);
  if (random.chance(105)) return [];
  const voice = VOICES.get(person.language);
  const subject = random.pick(career.calling.role.subjects);
  const other = random.chance(150) ? random.pick(career.calling.role.subjects) : subject;
  const student = career.positions.length === 0;
  let end = Math.floor(career.begun / 12) + (student ? random.int(0, 3) : random.int(-1, 1));
  const undated = random.chance(170);
  const schools: School[] = [];
  for (const rung of rungsFor(career, random)) {
    const [low, high] = LENGTH[rung];
    const from = end - random.int(low, high);
    const studied = schools.length === 0 ? subject : other;
    const local = voice !== undefined && random.chance(800);
    const english = random.pick(SUBJECT_NAMES[studied]);
    schools.push({
      ...institution(person, random),
      degree: random.chance(120) ? null : local ? voice.degrees[rung] : englishDegree(rung, studied, random),
      subject: random.chance(90) ? null : local ? voice.subjects[studied] : english,
      from: undated ? null : from,
      to: undated || (random.chance(40) && !student) ? null : end,
      note: random.chance(70) && voice === undefined ? noteOn(studied, person.country.iso2, random) : null,
      societies: random.chance(62) ? random.pick(SOCIETIES) : null,
    });
    end = from - random.int(0, 1);
  }
  return schools;
}

const LEVELS = [
  'Native or bilingual proficiency',
  'Full professional proficiency',
  'Professional working proficiency',
  'Limited working proficiency',
  'Elementary proficiency',
] as const;

const ENGLISH_NAMES: readonly string[] =
  'English; German; French; Spanish; Italian; Portuguese; Dutch; Polish; Turkish; Ukrainian; Arabic; Chinese; Japanese; Korean; Hindi'.split(
    '; ',
  );

/**
 * The languages that a person says she or he speaks.
 *
 * @param person the person
 * @returns none for most people, else the mother tongue first
 */
export function languagesOf(person: Person): { language: string; proficiency: string | null }[] {
  const random = randomFor(person.seed, 'languages', person.index);
  if (person.hidden || !random.chance(360)) return [];
  const voice = VOICES.get(person.language);
  const names = voice === undefined ? ENGLISH_NAMES : voice.tongues.split('; ');
  const called = (tongue: Language) => names[TONGUES.indexOf(tongue)] ?? 'English';
  const mother = TONGUE_OF_NAMES.get(person.names.key) ?? person.country.tongue ?? null;
  const rare = SPOKEN_IN.get(person.country.key)?.split('; ');
  const regional =
    rare !== undefined && voice === undefined && (mother === null || mother === 'hi')
      ? random.pick(rare)
      : null;
  const home = regional ?? called(mother ?? 'en');
  const spoken = new Map<string, string>([[home, LEVELS[0]]]);
  const add = (name: string, level: string) => {
    if (!spoken.has(name)) spoken.set(name, level);
  };
  if (person.country.tongue !== null && person.country.tongue !== mother)
    add(called(person.country.tongue), random.pick(LEVELS.slice(0, 3)));
  if (random.chance(880))
    add(
      called('en'),
      home === called('en') ? LEVELS[0] : (LEVELS[random.pick([1, 1, 2, 2, 3, 0])] ?? LEVELS[1]),
    );
  for (let more = random.lowish(0, 3, 1); more > 0; more -= 1) {
    add(
      called(random.pick(['fr', 'de', 'es', 'fr', 'es', 'it', 'zh', 'pt'] as const)),
      random.pick(LEVELS.slice(2)),
    );
  }
  const told = random.chance(760);
  return [...spoken].map(([language, level]) => ({ language, proficiency: told ? level : null }));
}
