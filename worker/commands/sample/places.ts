// Countries and cities of the sample, with the faker locale of their names and streets.
import { allLocales, type LocaleDefinition } from '@faker-js/faker';
import { type Language, readLanguage } from './prose.ts';
import { splitList } from './random.ts';

export interface City {
  name: string;
  state: string | null;
}

export interface Country {
  name: string;
  iso2: string;
  iso3: string;
  /** From the smallest to the largest. */
  regions: readonly string[];
  /** Relative frequency among companies. */
  weight: number;
  locale: LocaleDefinition;
  /** Language of texts, besides English. */
  language: Language;
  /** Suffixes of company names. */
  legalForms: readonly string[];
  /** Pattern of numbers that are reserved for fiction; # is a digit. Null if the country has none. */
  phone: string | null;
  cities: readonly City[];
}

/** ISO codes, name, regions, weight, locale, language, legal forms, telephone, cities with their states. */
const TABLE = `
US|USA|United States|Northern America; Americas; AMER|27|en_US|en|Inc.; LLC; Corp.; Co.|+1 2##-555-01##|New York/New York; San Francisco/California; Los Angeles/California; Austin/Texas; Chicago/Illinois; Boston/Massachusetts; Seattle/Washington; Denver/Colorado; Atlanta/Georgia; Miami/Florida; Portland/Oregon; Phoenix/Arizona
GB|GBR|United Kingdom|Northern Europe; Europe; EMEA|11|en_GB|en|Ltd; Limited; PLC|+44 20 7946 0###|London/England; Manchester/England; Birmingham/England; Leeds/England; Bristol/England; Edinburgh/Scotland; Cardiff/Wales
DE|DEU|Germany|Western Europe; Europe; EMEA|10|de|de|GmbH; AG; GmbH & Co. KG|+49 30 23125 ###|Berlin/Berlin; Hamburg/Hamburg; Munich/Bavaria; Cologne/North Rhine-Westphalia; Stuttgart/Baden-Württemberg; Leipzig/Saxony
FR|FRA|France|Western Europe; Europe; EMEA|7|fr|fr|SAS; SARL; SA|+33 1 99 00 ## ##|Paris/Île-de-France; Lyon/Auvergne-Rhône-Alpes; Lille/Hauts-de-France; Nantes/Pays de la Loire
ES|ESP|Spain|Southern Europe; Europe; EMEA|4|es|es|SL; SA||Madrid/Madrid; Barcelona/Catalonia; Valencia/Valencia; Seville/Andalusia
IT|ITA|Italy|Southern Europe; Europe; EMEA|4|it|en|S.r.l.; S.p.A.||Milan/Lombardy; Rome/Lazio; Turin/Piedmont; Bologna/Emilia-Romagna
NL|NLD|Netherlands|Western Europe; Europe; EMEA|4|nl|en|B.V.; N.V.||Amsterdam/North Holland; Rotterdam/South Holland; Utrecht/Utrecht; Eindhoven/North Brabant
CA|CAN|Canada|Northern America; Americas; AMER|4|en_CA|en|Inc.; Ltd.|+1 416-555-01##|Toronto/Ontario; Vancouver/British Columbia; Montreal/Quebec; Calgary/Alberta
IN|IND|India|Southern Asia; Asia; APAC|6|en_IN|en|Private Limited; Limited||Bengaluru/Karnataka; Mumbai/Maharashtra; Delhi/Delhi; Hyderabad/Telangana; Chennai/Tamil Nadu
AU|AUS|Australia|Australia and New Zealand; Oceania; APAC|3|en_AU|en|Pty Ltd; Ltd|+61 2 5550 ####|Sydney/New South Wales; Melbourne/Victoria; Brisbane/Queensland; Perth/Western Australia
JP|JPN|Japan|Eastern Asia; Asia; APAC|4|ja|ja|株式会社||Tokyo/Tokyo; Osaka/Osaka; Nagoya/Aichi; Fukuoka/Fukuoka
CN|CHN|China|Eastern Asia; Asia; APAC|4|zh_CN|zh|有限公司; 股份有限公司||Shanghai/Shanghai; Beijing/Beijing; Shenzhen/Guangdong; Hangzhou/Zhejiang
KR|KOR|South Korea|Eastern Asia; Asia; APAC|3|ko|ko|주식회사||Seoul/Seoul; Busan/Busan; Incheon/Incheon
BR|BRA|Brazil|Latin America; Americas; LATAM|4|pt_BR|pt|Ltda; S.A.||São Paulo/São Paulo; Rio de Janeiro/Rio de Janeiro; Curitiba/Paraná; Recife/Pernambuco
MX|MEX|Mexico|Latin America; Americas; LATAM|2|es_MX|es|S.A. de C.V.||Mexico City/Mexico City; Guadalajara/Jalisco; Monterrey/Nuevo León
PL|POL|Poland|Eastern Europe; Europe; EMEA|2|pl|en|sp. z o.o.; S.A.||Warsaw/Masovia; Kraków/Lesser Poland; Wrocław/Lower Silesia
SE|SWE|Sweden|Northern Europe; Europe; EMEA|2|sv|en|AB|+46 8 465 004 ##|Stockholm/Stockholm; Gothenburg/Västra Götaland; Malmö/Skåne
CH|CHE|Switzerland|Western Europe; Europe; EMEA|2|de_CH|de|AG; GmbH||Zurich/Zurich; Basel/Basel-Stadt; Bern/Bern
AT|AUT|Austria|Western Europe; Europe; EMEA|2|de_AT|de|GmbH; AG||Vienna/Vienna; Graz/Styria; Linz/Upper Austria
BE|BEL|Belgium|Western Europe; Europe; EMEA|1|nl_BE|en|BV; NV||Brussels/Brussels; Antwerp/Flanders; Ghent/Flanders
DK|DNK|Denmark|Northern Europe; Europe; EMEA|1|da|en|ApS; A/S||Copenhagen/Capital Region; Aarhus/Central Denmark
NO|NOR|Norway|Northern Europe; Europe; EMEA|1|nb_NO|en|AS; ASA||Oslo/Oslo; Bergen/Vestland
FI|FIN|Finland|Northern Europe; Europe; EMEA|1|fi|en|Oy; Oyj||Helsinki/Uusimaa; Tampere/Pirkanmaa
IE|IRL|Ireland|Northern Europe; Europe; EMEA|1|en_IE|en|Limited; DAC|+353 20 915 ####|Dublin/Leinster; Cork/Munster
PT|PRT|Portugal|Southern Europe; Europe; EMEA|1|pt_PT|pt|Lda; S.A.||Lisbon/Lisbon; Porto/Porto
CZ|CZE|Czech Republic|Eastern Europe; Europe; EMEA|1|cs_CZ|en|s.r.o.; a.s.||Prague/Prague; Brno/South Moravia
UA|UKR|Ukraine|Eastern Europe; Europe; EMEA|2|uk|uk|ТОВ||Kyiv/Kyiv; Lviv/Lviv; Kharkiv/Kharkiv
TR|TUR|Turkey|Western Asia; Middle East; EMEA|1|tr|en|A.Ş.; Ltd. Şti.||Istanbul/Istanbul; Ankara/Ankara; Izmir/Izmir
IL|ISR|Israel|Western Asia; Middle East; EMEA|1|he|en|Ltd.||Tel Aviv/Tel Aviv; Haifa/Haifa
AE|ARE|United Arab Emirates|Western Asia; Middle East; EMEA|2|ar|ar|ش.ذ.م.م||Dubai/Dubai; Abu Dhabi/Abu Dhabi
ZA|ZAF|South Africa|Sub-Saharan Africa; Africa; EMEA|1|en_ZA|en|(Pty) Ltd||Cape Town/Western Cape; Johannesburg/Gauteng
NZ|NZL|New Zealand|Australia and New Zealand; Oceania; APAC|1|en_AU|en|Limited||Auckland/Auckland; Wellington/Wellington
SG|SGP|Singapore|South-Eastern Asia; Asia; APAC|1|en_GB|en|Pte. Ltd.||Singapore
`;

function readLocale(name: string): LocaleDefinition {
  const locale = Object.entries(allLocales).find(([key]) => key === name)?.[1];
  if (locale === undefined) throw new Error(`faker has no locale ${name}`);
  return locale;
}

function readCity(text: string): City {
  const [name = '', state] = text.split('/');
  return { name, state: state ?? null };
}

function readCountry(row: string): Country {
  const [iso2 = '', iso3 = '', name = '', regions = '', weight, locale = '', language = '', ...rest] =
    row.split('|');
  const [legalForms = '', phone = '', cities = ''] = rest;
  return {
    name,
    iso2,
    iso3,
    regions: splitList(regions),
    weight: Number(weight),
    locale: readLocale(locale),
    language: readLanguage(language),
    legalForms: splitList(legalForms),
    phone: phone || null,
    cities: splitList(cities).map(readCity),
  };
}

export const COUNTRIES: readonly Country[] = TABLE.trim().split('\n').map(readCountry);
