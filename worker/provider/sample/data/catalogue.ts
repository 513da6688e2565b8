// Fixed facts of the sample data: its date, its hosts, sizes, kinds of company, funding, products, logos.
import type { Weighted } from '../random.ts';
import { list, type Sector } from '../vocabulary.ts';

/** The day on which the sample data stands still: nothing in it is younger. Seconds since 1970. */
export const REFERENCE_S = Date.UTC(2026, 10, 1) / 1000;

/** The year of that day. */
export const REFERENCE_YEAR = 2026;

/** Hosts of the fictional networks that records link to; all under the reserved top-level domain. */
export const HOSTS = {
  professional: 'www.professional-network.example',
  media: 'media.professional-network.example',
  financial: 'www.funding-register.example',
  facebook: 'www.friends-network.example',
  twitter: 'short-posts.example',
  x: 'x-posts.example',
  instagram: 'www.photo-feed.example',
  pinterest: 'www.pinboards.example',
  tiktok: 'www.short-clips.example',
  youtube: 'www.video-channels.example',
  github: 'code-forge.example',
  reddit: 'www.threads-forum.example',
  discord: 'voice-rooms.example',
} as const;

/** A size category: its bounds, and how often companies of small, usual and large trades are in it. */
export interface SizeRange {
  label: string;
  low: number;
  high: number;
  weights: readonly [small: number, usual: number, large: number];
}

/** Size categories as the service spells them; the top one is cut off at 70,000. */
export const SIZE_RANGES: readonly SizeRange[] = [
  { label: '1-10 employees', low: 1, high: 10, weights: [54, 38, 9] },
  { label: '11-50 employees', low: 11, high: 50, weights: [32, 32, 24] },
  { label: '51-200 employees', low: 51, high: 200, weights: [10, 17, 24] },
  { label: '201-500 employees', low: 201, high: 500, weights: [3, 6, 14] },
  { label: '501-1,000 employees', low: 501, high: 1000, weights: [1, 3, 9] },
  { label: '1,001-5,000 employees', low: 1001, high: 5000, weights: [0, 3, 9] },
  { label: '5,001-10,000 employees', low: 5001, high: 10000, weights: [0, 1, 2] },
  { label: '10,001+ employees', low: 10001, high: 70000, weights: [0, 0, 2] },
];

/** A funding round type, the money usual for it (US dollars) and the staff it takes. */
export interface RoundType {
  name: string;
  low: number;
  high: number;
  /** fewest employees of a company that has come so far */
  staff: number;
}

/** The usual ladder of rounds. */
export const ROUND_LADDER: readonly RoundType[] = [
  { name: 'Pre seed', low: 80_000, high: 900_000, staff: 1 },
  { name: 'Seed', low: 400_000, high: 5_500_000, staff: 3 },
  { name: 'Series A', low: 3_000_000, high: 24_000_000, staff: 14 },
  { name: 'Series B', low: 12_000_000, high: 68_000_000, staff: 50 },
  { name: 'Series C', low: 30_000_000, high: 150_000_000, staff: 140 },
  { name: 'Series D', low: 60_000_000, high: 320_000_000, staff: 320 },
  { name: 'Series E', low: 90_000_000, high: 700_000_000, staff: 700 },
];

/** Rounds that fall between the rungs. */
export const SIDE_ROUNDS: Weighted<RoundType> = [
  [{ name: 'Grant', low: 20_000, high: 2_400_000, staff: 1 }, 8],
  [{ name: 'Angel', low: 40_000, high: 800_000, staff: 1 }, 4],
  [{ name: 'Convertible note', low: 100_000, high: 2_500_000, staff: 2 }, 4],
  [{ name: 'Equity crowdfunding', low: 90_000, high: 3_200_000, staff: 3 }, 3],
  [{ name: 'Debt financing', low: 500_000, high: 60_000_000, staff: 30 }, 5],
  [{ name: 'Corporate round', low: 2_000_000, high: 40_000_000, staff: 20 }, 2],
  [{ name: 'Non equity assistance', low: 10_000, high: 150_000, staff: 1 }, 2],
];

/** What older companies get: one round, seldom two. */
export const MATURE_ROUNDS: Weighted<RoundType> = [
  [{ name: 'Private equity', low: 4_000_000, high: 400_000_000, staff: 40 }, 6],
  [{ name: 'Debt financing', low: 500_000, high: 120_000_000, staff: 20 }, 6],
  [{ name: 'Grant', low: 5_000, high: 1_800_000, staff: 1 }, 5],
  [{ name: 'Series unknown', low: 1_000_000, high: 30_000_000, staff: 10 }, 2],
];

/** Names of investors. */
export const INVESTORS: readonly string[] = list(
  'Harrowgate Ventures; Nine Oaks Capital; Foxglove Partners; Meridian Slate; Lantern Hill Capital; Kestrel & Quill; Bluewick Ventures; Fjordline Invest; Alpenrand Kapital; Rive Gauche Croissance; Tessellate; Open Furrow; Pale Horse Growth; Monsun Capital; Sandglass Equity; Two Rivers Fund; Understory; Ropewalk Ventures; Saltpan Partners; First Frost; Orchard Street Angels; Northern Light Pension Fund; Caravel Invest; Banyan Row; Hinterland Growth; Cobalt Quay; Periwinkle Seed; Longshore Capital; Vento Norte; Mosaic & Sons',
);

/** Stock exchanges by country. */
export const EXCHANGES: Readonly<Record<string, string>> = {
  US: 'NASDAQ',
  GB: 'LSE',
  DE: 'XETRA',
  FR: 'EPA',
  IN: 'NSE',
  CA: 'TSX',
  AU: 'ASX',
  NL: 'AMS',
  ES: 'BME',
  IT: 'BIT',
  BR: 'B3',
  SE: 'STO',
  NO: 'OSE',
  DK: 'CPH',
  FI: 'HEL',
  CH: 'SIX',
  JP: 'TYO',
  KR: 'KRX',
  CN: 'SSE',
  TW: 'TWSE',
  SG: 'SGX',
  PL: 'WSE',
  TR: 'BIST',
  ZA: 'JSE',
  MX: 'BMV',
};

/** Products that any website may run on. */
export const WEB_PRODUCTS: readonly string[] = list(
  'Nginx; Apache HTTP Server; WordPress; PHP; MySQL; jQuery; React; Vue.js; Next.js; Angular; Svelte; Bootstrap; Tailwind CSS; TYPO3; Drupal; Joomla; Webflow; Google Analytics; Google Tag Manager; Matomo; Plausible Analytics; reCAPTCHA; Cloudflare; Let’s Encrypt; HTTP/3; Font Awesome; Yoast SEO; Elementor; Contao; Craft CMS; Hugo; Gatsby; Ruby on Rails; Laravel; ASP.NET',
);

/** Products that any office may use. */
export const OFFICE_PRODUCTS: readonly string[] = list(
  'Microsoft 365; Google Workspace; Slack; Zoom; Mailchimp; HubSpot; Salesforce; Zendesk; Jira; Confluence; Odoo; SAP Business One; Trello; Asana; Dropbox; DocuSign; Nextcloud; Microsoft Dynamics 365; Xero; QuickBooks; Personio; Pipedrive; Notion; Brevo',
);

/** Products that are usual in a sector. */
export const SECTOR_PRODUCTS: Readonly<Record<Sector, readonly string[]>> = {
  software: list(
    'PostgreSQL; Redis; Kubernetes; Docker; Amazon Web Services; Microsoft Azure; Google Cloud; Terraform; Python; Go; Java; TypeScript; Node.js; Apache Kafka; Elasticsearch; Grafana; Prometheus; GitHub Actions; GitLab; Snowflake; dbt; Sentry; Datadog; RabbitMQ; Rust; Kotlin; MongoDB; ClickHouse; Stripe; Auth0',
  ),
  industry: list(
    'SAP S/4HANA; SolidWorks; AutoCAD; CATIA; MATLAB; OPC UA; Autodesk Inventor; Node-RED; LabVIEW; Minitab; Microsoft SQL Server; Power BI; Python; PostgreSQL; Altium Designer; Ansys',
  ),
  building: list(
    'Autodesk Revit; AutoCAD; ArchiCAD; SketchUp; Navisworks; Primavera P6; Rhino 3D; Power BI; BIM 360; Enscape',
  ),
  food: list(
    'Shopify; WooCommerce; Square; Lightspeed; Klaviyo; Toast POS; Microsoft SQL Server; OpenTable; Stripe; Power BI',
  ),
  health: list(
    'HL7 FHIR; Microsoft Azure; PostgreSQL; REDCap; Veeva Vault; SAS; R; Python; OpenEMR; Doctolib; DICOM; LabWare LIMS',
  ),
  advice: list(
    'Power BI; Tableau; Salesforce; DATEV; Sage; Microsoft SQL Server; Bloomberg Terminal; Bullhorn; Python; R; Relativity',
  ),
  retail: list(
    'Shopify; Magento; WooCommerce; PrestaShop; Klaviyo; Stripe; PayPal; Klarna; Algolia; Contentful; Hotjar; Trustpilot',
  ),
  transport: list(
    'SAP Transportation Management; Oracle Database; Microsoft SQL Server; CargoWise; Power BI; Google Maps Platform; OpenStreetMap; HERE Maps; PostgreSQL; Leaflet',
  ),
  civic: list(
    'Moodle; BigBlueButton; CiviCRM; WordPress; OpenStreetMap; LibreOffice; Canvas LMS; Koha; Jitsi; Raiser’s Edge',
  ),
  media: list(
    'Figma; Adobe Creative Cloud; Blender; DaVinci Resolve; Vimeo; Contentful; Sanity; After Effects; InDesign; Pro Tools; Eventbrite; Three.js',
  ),
  energy: list(
    'PVsyst; QGIS; SCADA; Python; PostgreSQL; Grafana; MQTT; ArcGIS; InfluxDB; TimescaleDB; AutoCAD; HOMER Pro',
  ),
};

/** Headlines of people whose posts companies share. */
export const HEADLINES: readonly string[] = list(
  'Managing Director; Head of Operations; Journalist; Professor of Engineering; Trainer and speaker; Policy adviser; Founder; Sales Manager; Research fellow; Chief Technology Officer; Works council chair; Independent consultant',
);
