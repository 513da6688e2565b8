// One hundred sentences and the forms that they should become.
import { type Family, isFamily } from '../../../shared/families/index.ts';

/** An expected condition. */
export interface ExpectedCondition {
  field: string;
  /** Accepted lists of values; the first one is the best. */
  accepted: readonly (readonly string[])[];
  /** A form without it is right, too. */
  isOptional: boolean;
}

/** A sentence, and the form that it should become. */
export interface AskCase {
  sentence: string;
  family: Family;
  conditions: readonly ExpectedCondition[];
  /** Parts of the sentence that no field can express. */
  leftOut: readonly string[];
}

/** The day of the questions, for sentences such as "since last year". */
export const TODAY = Date.parse('2026-11-25T12:00:00Z');

/**
 * A line: family | sentence | conditions | parts to leave out. Conditions are separated by `;`, accepted values by `/`, several
 * values by `,`, the ends of a range by `..`. A condition with `?` is optional.
 */
const REQUESTS = `
company_clean | Fintech companies in Berlin with 50 to 200 people that are hiring | industry=fintech/financial technology/financial services; location_hq_city=Berlin; size_employees_count=50..200 | that are hiring
company_clean | Software companies in Germany | industry=software; location_hq_country=Germany |
company_clean | biotech firms in Boston | industry=biotech/biotechnology; location_hq_city=Boston |
company_clean | Banks in Switzerland with more than 1000 employees | industry=banking/bank/banks; location_hq_country=Switzerland; size_employees_count=1000../1001.. |
company_clean | Restaurants in Paris with at most 20 employees | industry=restaurants/restaurant; location_hq_city=Paris; size_employees_count=..20 |
company_clean | companies in France or Belgium that make furniture | location_hq_country=France,Belgium; industry=furniture/furniture manufacturing |
company_clean | Startups founded in 2021 in the UK | founded=2021..2021; location_hq_country=United Kingdom; ?type=startup | 
company_clean | Companies that use Salesforce | technologies.technology=Salesforce |
company_clean | US companies using Shopify with more than 10,000 followers | location_hq_country=United States; technologies.technology=Shopify; followers=10000../10001.. |
company_clean | Companies that raised a Series A | funding_rounds.last_round_type=Series A |
company_clean | Companies with a seed round since January 2026 | funding_rounds.last_round_type=Seed; funding_rounds.last_round_date=2026-01-01.. |
company_clean | Companies called Acme | name=Acme |
company_clean | the company with the website example.com | websites_main=example.com |
company_clean | Insurance companies in Texas | industry=insurance; location_hq_state=Texas |
company_clean | Companies with a free trial and API documentation | free_trial_available=yes; api_docs_exist=yes |
company_clean | Software vendors without public pricing | industry=software; pricing_available=no |
company_clean | Logistics companies in Rotterdam with an office in Poland | industry=logistics; location_hq_city=Rotterdam; locations_full.country=Poland |
company_clean | Companies listed on NASDAQ | exchange=NASDAQ |
company_clean | the company with the ticker MSFT | ticker=MSFT |
company_clean | Companies between 11 and 50 employees in Austria | size_employees_count=11..50; location_hq_country=Austria |
company_clean | hospitals in Madrid | industry=hospitals/hospital/hospitals and health care; location_hq_city=Madrid |
company_clean | Companies whose last round was more than 10 million | funding_rounds.last_round_money_raised=10000000../10000001.. |
company_clean | Law firms in New York with 5 to 50 people and nice offices | industry=law/legal/law practice/legal services; location_hq_city=New York; size_employees_count=5..50 | nice offices
company_clean | Profitable gaming studios in Montreal | industry=gaming/computer games/games/video games; location_hq_city=Montreal | Profitable
company_clean | Construction companies in Italy whose data changed this month | industry=construction; location_hq_country=Italy; last_updated=2026-11-01../2026-11-01..2026-11-25/2026-11-01..2026-11-30 |
company_clean | Softwarefirmen in München mit 100 bis 500 Mitarbeitern | industry=software; location_hq_city=Munich/München; size_employees_count=100..500 |
company_clean | Versicherungen in Österreich | industry=insurance; location_hq_country=Austria |
company_clean | Maschinenbauer in Bayern mit mehr als 250 Beschäftigten | industry=machinery/mechanical engineering/machinery manufacturing/mechanical or industrial engineering; location_hq_state=Bavaria/Bayern; size_employees_count=250../251.. |
company_clean | Entreprises de logistique à Lyon | industry=logistics; location_hq_city=Lyon |
company_clean | Startups fintech en France avec moins de 50 salariés | industry=fintech/financial technology/financial services; location_hq_country=France; size_employees_count=..50/..49; ?type=startup |
company_clean | Empresas de energía solar en España | industry=solar energy/solar/solar power/renewable energy; location_hq_country=Spain |
company_clean | bancos en México con más de 500 empleados | industry=banking/bank/banks; location_hq_country=Mexico; size_employees_count=500../501.. |
company_clean | Aziende alimentari a Milano | industry=food/food production/food and beverage; location_hq_city=Milan/Milano |
company_clean | Nederlandse bouwbedrijven met 20 tot 100 werknemers | industry=construction; location_hq_country=Netherlands; size_employees_count=20..100 |
company_clean | Firmy transportowe w Polsce | industry=transport/transportation/logistics; location_hq_country=Poland |
company_clean | Empresas de software em Lisboa | industry=software; location_hq_city=Lisbon/Lisboa |
company_clean | Svenska spelbolag i Stockholm | industry=gaming/games/computer games/video games; location_hq_city=Stockholm; ?location_hq_country=Sweden |
company_clean | 東京のソフトウェア会社 | industry=software; location_hq_city=Tokyo |
company_clean | companies in Dubai doing real estate | location_hq_city=Dubai; industry=real estate |
company_clean | Cybersecurity companies in Israel or the United States with 51-200 employees | industry=cybersecurity/cyber security/computer and network security/security; location_hq_country=Israel,United States; size_employees_count=51..200 |
company_base | Software companies in Germany with 50 to 200 people | industry=software; country=Germany; employees_count=50..200 |
company_base | Companies founded after 2020 in Spain | founded_year=2021../2020..; country=Spain |
company_base | companies founded between 2010 and 2015 | founded_year=2010..2015 |
company_base | Companies with at least three funding rounds | funding_total_rounds_count=3.. |
company_base | Biotech companies whose last round was a Series B | industry=biotech/biotechnology; funding_last_round_type=Series B |
company_base | Companies funded since June 2026 in the United Kingdom | funding_last_round_date=2026-06-01..; country=United Kingdom |
company_base | the company behind stripe.com | website=stripe.com |
company_base | Hotels in Vienna | industry=hotels/hotel/hospitality; location=Vienna |
company_base | Companies called Globex in Canada | name=Globex; country=Canada |
company_base | Baufirmen in der Schweiz mit höchstens 100 Mitarbeitern | industry=construction; country=Switzerland; employees_count=..100 |
company_base | Assureurs en Belgique | industry=insurance; country=Belgium |
company_base | Empresas de turismo en Portugal con menos de 10 empleados | industry=tourism/travel/leisure, travel and tourism; country=Portugal; employees_count=..10/..9 |
company_base | Mining companies in Australia with happy employees | industry=mining; country=Australia | happy employees
company_base | Retailers in Ireland with more than 5,000 staff | industry=retail; country=Ireland; employees_count=5000../5001.. |
employee_clean | Sales managers in Berlin | job_title=sales manager; location_city=Berlin |
employee_clean | Software engineers who know Rust | job_title=software engineer; skills=Rust |
employee_clean | Founders in Germany | management_level=Founder; location_country=Germany |
employee_clean | C-level people in Sweden | management_level=C-Level; location_country=Sweden |
employee_clean | Heads of marketing in London | management_level=Head; department=Marketing; location_city=London; ?job_title=head of marketing |
employee_clean | Decision makers in finance in Spain | is_decision_maker=yes; department=Finance & Accounting; location_country=Spain |
employee_clean | Data scientists in Toronto or Montreal | job_title=data scientist; location_city=Toronto,Montreal |
employee_clean | HR people in France | department=Human Resources; location_country=France |
employee_clean | People who work at Siemens | experience.company_name=Siemens; ?experience.is_current=yes; ?is_working=yes |
employee_clean | People who studied at MIT | education.institution_name=MIT/Massachusetts Institute of Technology |
employee_clean | Product managers who speak Japanese | job_title=product manager; languages.language=Japanese |
employee_clean | Nurses in Chicago with 10 years of experience | job_title=nurse; location_city=Chicago; total_experience_duration_months=120../120..120 |
employee_clean | People with more than 5000 followers in the Netherlands | follower_count=5000../5001..; location_country=Netherlands |
employee_clean | AWS certified engineers in India | certifications.title=AWS; job_title=engineer; location_country=India |
employee_clean | Lawyers in Warsaw who like tennis | job_title=lawyer; location_city=Warsaw | who like tennis
employee_clean | Vice presidents of sales in the United States | management_level=President/Vice President; department=Sales; location_country=United States; ?job_title=vice president of sales/vice president sales |
employee_clean | Jane Miller in Dublin | full_name=Jane Miller; location_city=Dublin |
employee_clean | Vertriebsleiter in Hamburg | job_title=sales manager/head of sales/sales director; location_city=Hamburg; ?department=Sales; ?management_level=Head,Director,Manager/Head/Director/Manager |
employee_clean | Ingenieure in Österreich mit Python-Kenntnissen | job_title=engineer; location_country=Austria; skills=Python |
employee_clean | Développeurs à Paris qui connaissent React | job_title=developer/software developer; location_city=Paris; skills=React |
employee_clean | Directores de marketing en Madrid | job_title=marketing director/director of marketing; location_city=Madrid; ?management_level=Director; ?department=Marketing |
employee_clean | Insegnanti a Roma | job_title=teacher; location_city=Rome/Roma |
employee_clean | Designers em São Paulo | job_title=designer; location_city=São Paulo/Sao Paulo; ?department=Design |
employee_clean | Owners in Denmark who will buy from me | management_level=Owner; location_country=Denmark | who will buy from me
employee_base | Accountants in Germany | experience_title=accountant; country=Germany; ?active_experience=yes |
employee_base | People who work at Acme in Canada | experience_company_name=Acme; country=Canada; ?active_experience=yes |
employee_base | Engineers at companies with 100 to 1000 employees | experience_title=engineer; experience_company_employees_count=100..1000; ?active_experience=yes |
employee_base | People who know Kubernetes in Poland | skill=Kubernetes; country=Poland |
employee_base | Former students of Oxford in Singapore | education_institution_name=Oxford/University of Oxford; country=Singapore |
employee_base | Certified scrum masters in Brazil | certification_title=scrum master/certified scrum master; country=Brazil; ?experience_title=scrum master |
employee_base | Einkäufer in der Automobilindustrie in Deutschland | experience_title=buyer/purchaser/purchasing; experience_company_industry=automotive; country=Germany; ?active_experience=yes |
employee_base | Architectes à Genève | experience_title=architect; location=Geneva/Genève; ?active_experience=yes |
job_base | Open jobs for data engineers in Germany | title=data engineer; country=Germany; application_active=yes |
job_base | Part-time jobs in Amsterdam | employment_type=Part-time; location=Amsterdam; ?application_active=yes |
job_base | Internships in Paris | employment_type=Internship; location=Paris; ?application_active=yes |
job_base | Jobs at Acme | company_name=Acme; ?application_active=yes |
job_base | Job postings that mention Snowflake in the United States | keyword_description=Snowflake; country=United States; ?application_active=yes |
job_base | Sales jobs posted since November 1 | title=sales; created_at=2026-11-01..; ?application_active=yes |
job_base | Jobs at the company example.com | company_domain=example.com; ?application_active=yes |
job_base | Full-time nursing jobs in hospitals in Ireland with good pay | employment_type=Full-time; title=nurse/nursing; industry=hospitals/hospital/hospitals and health care; country=Ireland; ?application_active=yes | with good pay
job_base | Stellen für Buchhalter in Wien | title=accountant; location=Vienna/Wien; ?application_active=yes |
job_base | Offres d’emploi de développeur en Belgique | title=developer/software developer; country=Belgium; ?application_active=yes |
job_base | Ofertas de trabajo de diseñador en Barcelona | title=designer; location=Barcelona; ?application_active=yes |
job_base | Temporary jobs in the logistics industry in Poland | employment_type=Temporary; industry=logistics; country=Poland; ?application_active=yes |
job_base | Contractor jobs for project managers in Zurich | employment_type=Contract; title=project manager; location=Zurich/Zürich; ?application_active=yes |
job_base | Closed jobs for recruiters in Spain | application_active=no; title=recruiter; country=Spain |
`;

const split = (text: string, separator: string): string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');

function parseValues(text: string): string[] {
  const [from = '', to] = text.split('..');
  return to === undefined ? text.split(',') : [from, to];
}

/** `President/Vice President` is one value. */
const SLASH_VALUE = 'President/Vice President';

function parseCondition(text: string): ExpectedCondition {
  const [name = '', values = ''] = text.split('=');
  const accepted = values === SLASH_VALUE ? [values] : values.split('/');
  return {
    field: name.replace('?', ''),
    isOptional: name.startsWith('?'),
    accepted: accepted.map(parseValues),
  };
}

/** The sentences, in the order of the list. */
export const askCases: readonly AskCase[] = split(REQUESTS, '\n').map((line) => {
  const [family = '', sentence = '', conditions = '', leftOut = ''] = line
    .split('|')
    .map((part) => part.trim());
  if (!isFamily(family)) throw new Error(`unknown family: ${line}`);
  return {
    sentence,
    family,
    conditions: split(conditions, ';').map(parseCondition),
    leftOut: split(leftOut, ';'),
  };
});
