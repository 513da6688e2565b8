// Industries of the sample: their products, customers, jobs and skills.
import { splitList } from './random.ts';

/** A job title and its department. */
export interface Role {
  title: string;
  department: string;
}

export interface Industry {
  name: string;
  /** Relative frequency among companies. */
  weight: number;
  /** 1 if it sells to businesses. */
  b2b: 0 | 1;
  /** Higher values give smaller companies. */
  smallness: number;
  /** Words of company names. */
  nameWords: readonly string[];
  products: readonly string[];
  customers: readonly string[];
  specialities: readonly string[];
  technologies: readonly string[];
  roles: readonly Role[];
  skills: readonly string[];
}

function readRole(text: string): Role {
  const [title = '', department = ''] = text.split('@');
  return { title, department };
}

/** Roles in every company. */
export const OFFICE_ROLES: readonly Role[] = splitList(
  'Sales Representative@Sales; Account Manager@Sales; Office Manager@Administrative; Accountant@Finance & Accounting; HR Manager@Human Resources; Marketing Specialist@Marketing; Customer Support Specialist@Customer Service; Operations Coordinator@Operations; Executive Assistant@Administrative; Project Coordinator@Project Management; Controller@Finance & Accounting; Caretaker@Other',
).map(readRole);

export const OFFICE_SKILLS = splitList(
  'Communication; Microsoft Office; Teamwork; Negotiation; Public Speaking; Time Management; Leadership; Customer Service; Data Analysis; English; Problem Solving; Budgeting',
);

/** Technologies that any company's website may use. */
export const WEB_TECHNOLOGIES = splitList(
  'WordPress; Google Analytics; Google Tag Manager; Cloudflare; HubSpot; Salesforce; Bootstrap; Nginx; Zendesk; Mailchimp; reCAPTCHA; jQuery',
);

/** Name, weight, b2b, smallness, then the lists in the order of the fields of {@link Industry}. */
const TABLE = `
Software Development|14|1|2.4|Software; Labs; Systems; Cloud|payroll software; scheduling apps; data platforms; billing software; analytics dashboards|hospitals; online shops; city councils; small businesses; banks|Cloud Software; APIs; Data Platforms; Mobile Apps; Automation|React; PostgreSQL; Kubernetes; Node.js; Stripe|Software Engineer@Engineering and Technical; Data Engineer@Engineering and Technical; Product Manager@Product; UX Designer@Design; Frontend Developer@Engineering and Technical; DevOps Engineer@Engineering and Technical|Python; TypeScript; Cloud Architecture; Machine Learning; SQL; Continuous Delivery
IT Services and IT Consulting|7|1|2.4|IT; Consulting; Tech; Networks|system migrations; help desks; network design; managed servers|manufacturers; law firms; schools; retailers|Managed Services; Cloud Migration; IT Support; System Integration|Microsoft 365; VMware; ServiceNow; Terraform|IT Consultant@Consulting; System Administrator@Engineering and Technical; Support Engineer@Customer Service; Network Engineer@Engineering and Technical|Networking; Linux; Cloud Migration; ITIL; Virtualisation
Computer and Network Security|3|1|2.6|Security; Shield; Cyber|firewalls; penetration tests; identity management; security monitoring|banks; hospitals; energy suppliers; public offices|Penetration Testing; Incident Response; Identity Management; Encryption|Splunk; Okta; Cloudflare; Wireshark|Security Analyst@Engineering and Technical; Penetration Tester@Engineering and Technical; Security Engineer@Engineering and Technical|Incident Response; Cryptography; Threat Modelling; Compliance
Financial Services|6|1|1.9|Finance; Capital; Payments|payments; small loans; invoicing; portfolio reports|merchants; families; freelancers; funds|Payments; Lending; Asset Management; Fintech|Bloomberg; Plaid; Stripe; Snowflake|Financial Analyst@Finance & Accounting; Accountant@Finance & Accounting; Risk Manager@Finance & Accounting; Compliance Officer@Legal|Financial Modelling; Risk Management; Excel; Accounting; Compliance
Insurance|3|0|1.7|Insurance; Assurance; Mutual|household insurance; fleet insurance; travel cover; claims handling|families; hauliers; travellers; small businesses|Claims; Underwriting; Risk Assessment; Reinsurance|Guidewire; Salesforce; Tableau|Underwriter@Finance & Accounting; Claims Adjuster@Operations; Actuary@Finance & Accounting|Underwriting; Claims Handling; Actuarial Science; Negotiation
Hospitals and Health Care|6|0|1.6|Health; Clinic; Care|day surgery; home care; physiotherapy; health checks|patients; families; older people; athletes|Patient Care; Rehabilitation; Diagnostics; Telemedicine|Epic; Doctolib; Zoom|Nurse@Medical; Physiotherapist@Medical; Physician@Medical; Care Coordinator@Medical|Patient Care; First Aid; Diagnostics; Documentation
Pharmaceutical Manufacturing|2|1|1.5|Pharma; Therapeutics|pain relief; vaccines; eye drops; generic medicines|pharmacies; hospitals; wholesalers|Generics; Clinical Trials; Quality Control; Regulatory Affairs|SAP; Veeva; LabWare|Quality Manager@Operations; Clinical Research Associate@Research; Pharmacist@Medical|GMP; Clinical Trials; Regulatory Affairs; Validation
Biotechnology Research|2|1|2.0|Bio; Genomics; Biolabs|enzyme research; gene sequencing; lab kits; cell cultures|universities; hospitals; farmers|Genomics; Enzymes; Lab Automation; Bioinformatics|Benchling; R; Python|Research Scientist@Research; Lab Technician@Research; Bioinformatician@Research|PCR; Bioinformatics; Cell Culture; Statistics
Renewable Energy Power Generation|4|1|2.0|Energy; Solar; Wind; Power|solar parks; heat pumps; wind farms; battery storage|home owners; farmers; town councils; factories|Solar Energy; Wind Energy; Battery Storage; Heat Pumps|AutoCAD; PVsyst; SCADA|Solar Engineer@Engineering and Technical; Wind Turbine Technician@Trades; Energy Consultant@Consulting|Photovoltaics; Electrical Engineering; Project Planning; AutoCAD
Construction|7|1|2.2|Construction; Builders; Roofing|timber houses; bridges; roof repairs; school buildings|town councils; families; developers|Timber Construction; Civil Engineering; Roofing; Renovation|AutoCAD; Procore; Revit|Site Manager@Operations; Carpenter@Trades; Civil Engineer@Engineering and Technical; Electrician@Trades|Site Management; Cost Estimation; Scheduling; Safety
Architecture and Planning|3|1|3.0|Architects; Studio; Planning|schools; housing plans; museum interiors; town squares|town councils; developers; museums|Urban Planning; Interior Design; Sustainable Building; Competitions|Revit; Rhino; ArchiCAD|Architect@Design; Urban Planner@Design; Interior Designer@Design|Revit; Urban Design; 3D Modelling; Building Codes
Real Estate|4|0|2.6|Homes; Property; Estates|flats; office space; property management; holiday homes|tenants; owners; investors|Property Management; Letting; Valuation; Office Space|Yardi; Matterport; Mailchimp|Real Estate Agent@Real Estate; Property Manager@Real Estate; Valuer@Real Estate|Valuation; Negotiation; Tenancy Law; Marketing
Retail|7|0|1.9|Store; Market; Shop|running shoes; garden tools; second-hand books; children’s clothes|families; runners; gardeners; students|Online Shop; Fashion; Second Hand; Garden|Shopify; Klaviyo; Magento|Store Manager@Operations; Buyer@Operations; Sales Assistant@Sales; E-Commerce Manager@Marketing|Merchandising; Customer Service; Visual Merchandising; E-Commerce
Food and Beverage Manufacturing|6|1|1.9|Foods; Dairy; Bakery; Brewery|oat biscuits; goat’s cheese; apple juice; sourdough bread|delicatessens; supermarkets; hotels|Organic Food; Dairy; Baking; Beverages|SAP; Square; WooCommerce|Production Operator@Operations; Food Technologist@Research; Brewer@Trades|Food Safety; HACCP; Recipe Development; Packaging
Restaurants|4|0|2.8|Kitchen; Bistro; Catering|lunch menus; wedding catering; street food; vegetarian dishes|office workers; families; guests from near and far|Catering; Regional Food; Vegetarian Dishes; Events|OpenTable; Toast; Square|Chef@Trades; Restaurant Manager@Operations; Waiter@Customer Service|Cooking; Menu Planning; Hygiene; Hospitality
Hospitality|3|0|2.2|Hotels; Inns; Resorts|family hotels; seminar rooms; spa weekends; mountain lodges|families; hikers; companies|Hotels; Conferences; Spa; Events|Opera; Mews; Booking Engine|Hotel Manager@General Management; Receptionist@Customer Service; Event Planner@Marketing|Guest Relations; Revenue Management; Event Planning; Languages
Transportation, Logistics, Supply Chain and Storage|6|1|1.8|Logistics; Freight; Transport|refrigerated transport; parcel delivery; container storage; customs handling|online shops; farmers; manufacturers|Freight; Warehousing; Customs; Last Mile|SAP; Project44; Samsara|Logistics Manager@Operations; Truck Driver@Operations; Warehouse Supervisor@Operations; Dispatcher@Operations|Supply Chain Management; Route Planning; Incoterms; Warehousing
Motor Vehicle Manufacturing|3|1|1.5|Motors; Automotive; Mobility|electric vans; brake systems; cargo bikes; bus interiors|fleet owners; car makers; city transport|Electric Vehicles; Drivetrains; Prototyping; Fleet|CATIA; SAP; MATLAB|Automotive Engineer@Engineering and Technical; Mechanic@Trades; Test Engineer@Engineering and Technical|CATIA; Mechanical Engineering; Prototyping; Lean Manufacturing
Industrial Machinery Manufacturing|5|1|1.7|Machines; Robotics; Engineering|packaging machines; milling tools; robot arms; conveyor belts|bakeries; car makers; print shops|Automation; Robotics; CNC; Maintenance|SolidWorks; Siemens TIA; SAP|Mechanical Engineer@Engineering and Technical; Machine Operator@Trades; Service Technician@Trades|CNC; SolidWorks; PLC Programming; Maintenance
Telecommunications|3|1|1.6|Telecom; Mobile; Fibre|fibre connections; mobile plans; radio masts; business telephony|households; villages; companies|Fibre; Mobile Networks; VoIP; 5G|Cisco; Ericsson OSS; Grafana|Network Planner@Engineering and Technical; Field Technician@Trades; Customer Advisor@Customer Service|Fibre Optics; Routing; VoIP; Radio Planning
Education Administration Programs|5|0|2.0|Academy; School; Learning|language courses; evening classes; teacher training; online lessons|pupils; adults; companies|Language Courses; E-Learning; Vocational Training; Tutoring|Moodle; Zoom; Canvas|Teacher@Education; Course Coordinator@Education; Instructional Designer@Education|Teaching; Curriculum Design; E-Learning; Languages
Advertising Services|5|1|2.8|Media; Creative; Advertising|brand films; poster campaigns; social media; trade fair stands|museums; start-ups; retailers|Branding; Social Media; Campaigns; Film|Figma; Adobe Creative Cloud; HubSpot|Art Director@Design; Copywriter@Marketing; Marketing Manager@Marketing; Media Planner@Marketing|Branding; SEO; Copywriting; Campaign Management
Business Consulting and Services|6|1|2.6|Advisory; Partners; Consulting|cost reviews; change projects; interim management; market studies|family firms; hospitals; public offices|Strategy; Change Management; Interim Management; Process Design|Power BI; Miro; Excel|Management Consultant@Consulting; Project Manager@Project Management; Business Analyst@Consulting|Project Management; Strategy; Workshops; Process Improvement
Law Practice|3|1|3.0|Law; Legal; Solicitors|contracts; labour law; patents; inheritance advice|employees; inventors; families|Labour Law; Contracts; Patents; Mediation|DocuSign; Clio; LexisNexis|Lawyer@Legal; Paralegal@Legal; Notary Clerk@Legal|Contract Law; Legal Research; Negotiation; Mediation
Staffing and Recruiting|3|1|2.6|Recruiting; Talent; Staffing|temporary staff; executive search; applicant screening; job fairs|hospitals; factories; start-ups|Executive Search; Temporary Staffing; Onboarding; Assessment|Greenhouse; Personio; Zoho|Recruiter@Human Resources; Talent Partner@Human Resources; HR Consultant@Human Resources|Interviewing; Sourcing; Employer Branding; Onboarding
Textile Manufacturing|2|1|1.9|Textiles; Weaving; Fabrics|wool blankets; work clothes; linen; sailcloth|hotels; sailors; fashion labels|Weaving; Dyeing; Work Clothes; Recycled Fibres|CLO 3D; SAP; Shopify|Textile Engineer@Engineering and Technical; Weaver@Trades; Pattern Maker@Design|Weaving; Dyeing; Pattern Making; Quality Control
`;

function readIndustry(row: string): Industry {
  const [name = '', weight, b2b, smallness, ...texts] = row.split('|');
  const [nameWords = '', products = '', customers = '', specialities = '', technologies = '', ...rest] =
    texts;
  const [roles = '', skills = ''] = rest;
  return {
    name,
    weight: Number(weight),
    b2b: b2b === '1' ? 1 : 0,
    smallness: Number(smallness),
    nameWords: splitList(nameWords),
    products: splitList(products),
    customers: splitList(customers),
    specialities: splitList(specialities),
    technologies: splitList(technologies),
    roles: splitList(roles).map(readRole),
    skills: splitList(skills),
  };
}

export const INDUSTRIES: readonly Industry[] = TABLE.trim().split('\n').map(readIndustry);
