// Records of the benches: a company of about 2 KB of JSON, identical except for its keys.

/** Family of the records. */
export const FAMILY = 'company_clean';

/** The shorthand name of a record is this and its id. */
export const SHORTHAND_NAME_PREFIX = 'fontanaluce-';

const record = {
  name: 'Fondazione Fontanaluce',
  type: 'Nonprofit',
  founded: '2016',
  followers: 35,
  websites_main_original: 'https://www.fontanaluce.example/',
  websites_main: 'https://www.fontanaluce.example',
  websites_resolved: 'https://fontanaluce.example/',
  websites_facebook: null,
  websites_twitter: null,
  size_range: '11-50 employees',
  size_employees_count: 23,
  size_employees_count_inferred: 21,
  industry: 'Museums, Historical Sites, and Zoos',
  description:
    'Working steam engines, a hall of finds from the river bed and a library of maps. The doors are open to all on six days of the week; schools come on Mondays. Two friends began it in a boat shed, and members carry it to this day.',
  location_hq_raw_address: 'Milan, Lombardy, Italy',
  location_hq_country: 'Italy',
  location_hq_country_iso_2: 'IT',
  location_hq_country_iso_3: 'ITA',
  location_hq_state: 'Lombardy',
  location_hq_city: 'Milan',
  location_hq_regions: ['Southern Europe', 'Europe', 'EMEA'],
  last_updated: '2026-09-06',
  logo: null,
  specialities: ['Archives', 'Performing Arts', 'Cultural Heritage', 'Museums'],
  ticker: null,
  exchange: null,
  enriched_summary:
    'An organisation in Milan, Italy, that shows working steam engines and archaeological finds.',
  enriched_keywords: ['arts and culture', 'museums', 'education', 'open-air concerts', 'folk art'],
  enriched_b2b: 0,
  enriched_category: 'Arts and culture',
  pricing_available: false,
  free_trial_available: false,
  demo_available: false,
  mobile_apps_exist: false,
  funding_rounds: null,
  phone_numbers: null,
  emails: null,
  social_x_urls: null,
  locations_full: [
    {
      location_address: 'Milan, Lombardy, Italy',
      is_primary: true,
      country: 'Italy',
      country_iso_2: 'IT',
      regions: [{ region: 'Southern Europe' }, { region: 'Europe' }],
      city: 'Milan',
    },
  ],
  technologies: [
    { technology: 'Craft CMS', first_verified_at: '2022-01-20', last_verified_at: '2024-04-18' },
    { technology: 'PHP', first_verified_at: '2018-03-20', last_verified_at: '2026-08-02' },
  ],
};

const recordTail = JSON.stringify(record).slice(1);

/** Formats the record of an id as JSON. */
export function formatRecord(id: string): string {
  const number = Number(id);
  const profile = `https://www.professional-network.example/company/${SHORTHAND_NAME_PREFIX}${number}`;
  return `{"id":${number},"websites_professional_network":"${profile}",${recordTail}`;
}
