// Countries and cities of headquarters and offices, with what addresses, phones and company forms look like there.
import { type Language, list } from '../vocabulary.ts';

/** A city: English name, state, weight, and what its own languages call it. */
export interface City {
  name: string;
  state: string | null;
  weight: number;
  /** the name in the country's own language; the English one where they agree */
  own: string;
  /** "in the city" in a language that bends the name; null where a preposition does */
  locative: string | null;
}

/** A country with its cities. */
export interface Country {
  /** the ISO code, or our own for a part of a country with another language */
  key: string;
  name: string;
  /** the name as it stands in an English sentence */
  spoken: string;
  iso2: string;
  iso3: string;
  regions: readonly string[];
  weight: number;
  /** the language in which `own` names of cities stand, and in which companies may describe themselves */
  tongue: Language | null;
  cities: readonly City[];
  /** `#` a digit, `@` a letter */
  zip: string | null;
  streets: readonly string[];
  /** `8 High Street` or `Hauptstraße 8` */
  house: 'first' | 'last';
  /** a number range that is reserved for fiction; `#` a digit; null where there is none */
  phone: string | null;
  /** legal forms that follow the name */
  forms: readonly string[];
}

const AMERICAS = list('Northern America; Americas; AMER');
const LATIN = list('Latin America; Americas; LATAM');
const WEST = list('Western Europe; Europe; EMEA');
const NORTH = list('Northern Europe; Europe; EMEA');
const SOUTH = list('Southern Europe; Europe; EMEA');
const EAST = list('Eastern Europe; Europe; EMEA');
const EAST_ASIA = list('Eastern Asia; Asia; APAC');
const SOUTH_EAST_ASIA = list('South-Eastern Asia; Asia; APAC');
const SOUTH_ASIA = list('Southern Asia; Asia; APAC');
const WEST_ASIA = list('Western Asia; Middle East; EMEA');
const NORTH_AFRICA = list('Northern Africa; Africa; EMEA');
const SUB_SAHARA = list('Sub-Saharan Africa; Africa; EMEA');
const OCEANIA = list('Australia and New Zealand; Oceania; APAC');

/** Reads `name/state/weight`, with `/own name` and `/locative` where they differ. */
function cities(text: string): City[] {
  return list(text).map((entry) => {
    const [name = '', state = '', weight = '1', own = '', locative = ''] = entry.split('/');
    return {
      name,
      state: state || null,
      weight: Number(weight),
      own: own || name,
      locative: locative || null,
    };
  });
}

type Row = Omit<Country, 'key' | 'cities' | 'streets' | 'forms' | 'regions' | 'spoken' | 'tongue'> & {
  key?: string;
  spoken?: string;
  tongue?: Language;
  cities: string;
  streets: string;
  forms: string;
};

function country(regions: readonly string[], row: Row): Country {
  return {
    ...row,
    key: row.key ?? row.iso2,
    spoken: row.spoken ?? row.name,
    tongue: row.tongue ?? null,
    regions,
    cities: cities(row.cities),
    streets: list(row.streets),
    forms: list(row.forms),
  };
}

/** All countries; the first weight says how often a company that could be anywhere is from there. */
export const COUNTRIES: readonly Country[] = [
  country(AMERICAS, {
    name: 'United States',
    spoken: 'the United States',
    iso2: 'US',
    iso3: 'USA',
    weight: 300,
    cities:
      'New York/New York/14; San Francisco/California/9; Los Angeles/California/7; Chicago/Illinois/7; Austin/Texas/6; Boston/Massachusetts/6; Seattle/Washington/5; Denver/Colorado/4; Atlanta/Georgia/4; Houston/Texas/4; Dallas/Texas/4; Miami/Florida/4; Minneapolis/Minnesota/3; Portland/Oregon/3; Philadelphia/Pennsylvania/3; San Diego/California/3; Raleigh/North Carolina/2; Nashville/Tennessee/2; Columbus/Ohio/2; Detroit/Michigan/2; Salt Lake City/Utah/2; Phoenix/Arizona/2; Pittsburgh/Pennsylvania/2; Milwaukee/Wisconsin/1; Boise/Idaho/1; Burlington/Vermont/1; Tulsa/Oklahoma/1; Omaha/Nebraska/1; Providence/Rhode Island/1; Albuquerque/New Mexico/1',
    zip: '#####',
    streets:
      'Main Street; Market Street; Elm Avenue; Foundry Road; Lakeview Drive; Commerce Way; Depot Street; Mill Street; 4th Avenue; Harbor Boulevard; Prospect Street; Railroad Avenue',
    house: 'first',
    phone: '+1 202-555-01##',
    forms: 'Inc.; LLC; Corp.; Co.',
  }),
  country(AMERICAS, {
    name: 'Canada',
    iso2: 'CA',
    iso3: 'CAN',
    weight: 38,
    cities:
      'Toronto/Ontario/8; Vancouver/British Columbia/5; Calgary/Alberta/3; Ottawa/Ontario/3; Halifax/Nova Scotia/1; Winnipeg/Manitoba/1; Victoria/British Columbia/1',
    zip: '@#@ #@#',
    streets: 'King Street; Wharf Street; Maple Avenue; Granville Street; Portage Avenue; Front Street',
    house: 'first',
    phone: '+1 416-555-01##',
    forms: 'Inc.; Ltd.; Corp.',
  }),
  country(AMERICAS, {
    key: 'CA-FR',
    name: 'Canada',
    iso2: 'CA',
    tongue: 'fr',
    iso3: 'CAN',
    weight: 6,
    cities: 'Montreal/Quebec/6/Montréal; Quebec City/Quebec/3/Québec; Sherbrooke/Quebec/1; Gatineau/Quebec/1',
    zip: '@#@ #@#',
    streets: 'rue Saint-Paul; boulevard Champlain; rue Wellington; chemin du Moulin',
    house: 'first',
    phone: '+1 514-555-01##',
    forms: 'inc.; ltée',
  }),
  country(NORTH, {
    name: 'United Kingdom',
    spoken: 'the United Kingdom',
    iso2: 'GB',
    iso3: 'GBR',
    weight: 105,
    cities:
      'London/England/16; Manchester/England/5; Bristol/England/4; Leeds/England/3; Birmingham/England/3; Edinburgh/Scotland/3; Glasgow/Scotland/3; Cambridge/England/3; Sheffield/England/2; Cardiff/Wales/2; Belfast/Northern Ireland/2; Newcastle upon Tyne/England/2; Nottingham/England/1; Norwich/England/1; Exeter/England/1; Inverness/Scotland/1',
    zip: '@@## #@@',
    streets:
      'High Street; Station Road; Chapel Lane; Mill Lane; Canal Street; Albion Yard; Queen Street; Wharf Road; Castle Terrace',
    house: 'first',
    phone: '+44 20 7946 0###',
    forms: 'Ltd; Limited; PLC; LLP',
  }),
  country(NORTH, {
    name: 'Ireland',
    iso2: 'IE',
    iso3: 'IRL',
    weight: 12,
    cities: 'Dublin/Leinster/6; Cork/Munster/3; Galway/Connacht/2; Limerick/Munster/1; Sligo/Connacht/1',
    zip: '@## @#@#',
    streets: 'Quay Street; Patrick Street; Bridge Street; Mill Road; Custom House Quay',
    house: 'first',
    phone: '+353 20 915 ####',
    forms: 'Ltd; DAC',
  }),
  country(WEST, {
    name: 'Germany',
    iso2: 'DE',
    tongue: 'de',
    iso3: 'DEU',
    weight: 26,
    cities:
      'Berlin/Berlin/9; Munich/Bavaria/7/München; Hamburg/Hamburg/6; Cologne/North Rhine-Westphalia/4/Köln; Frankfurt am Main/Hesse/4; Stuttgart/Baden-Württemberg/4; Düsseldorf/North Rhine-Westphalia/3; Leipzig/Saxony/3; Nuremberg/Bavaria/2/Nürnberg; Dresden/Saxony/2; Hanover/Lower Saxony/2/Hannover; Bremen/Bremen/2; Freiburg im Breisgau/Baden-Württemberg/1; Bielefeld/North Rhine-Westphalia/1; Kassel/Hesse/1; Rostock/Mecklenburg-Vorpommern/1; Ulm/Baden-Württemberg/1; Heilbronn/Baden-Württemberg/1',
    zip: '#####',
    streets:
      'Bahnhofstraße; Industriestraße; Lindenweg; Am Hafen; Gartenstraße; Mühlgasse; Schillerstraße; Werkstraße; Am Alten Markt',
    house: 'last',
    phone: '+49 30 23125 ###',
    forms: 'GmbH; GmbH & Co. KG; AG; UG (haftungsbeschränkt); eG',
  }),
  country(WEST, {
    name: 'Austria',
    iso2: 'AT',
    tongue: 'de',
    iso3: 'AUT',
    weight: 5,
    cities:
      'Vienna/Vienna/6/Wien; Graz/Styria/2; Linz/Upper Austria/2; Innsbruck/Tyrol/1; Salzburg/Salzburg/1',
    zip: '1##0',
    streets: 'Hauptplatz; Donaulände; Kirchengasse; Industriezeile; Mariengasse',
    house: 'last',
    phone: null,
    forms: 'GmbH; AG; GmbH & Co KG',
  }),
  country(WEST, {
    name: 'Switzerland',
    iso2: 'CH',
    tongue: 'de',
    iso3: 'CHE',
    weight: 12,
    cities:
      'Zurich/Zurich/6/Zürich; Basel/Basel-Stadt/2; Bern/Bern/2; St. Gallen/St. Gallen/1; Lucerne/Lucerne/1/Luzern',
    zip: '8##0',
    streets: 'Bahnhofstrasse; Seestrasse; Mühleweg; Hardstrasse; Dorfplatz',
    house: 'last',
    phone: null,
    forms: 'AG; GmbH',
  }),
  country(WEST, {
    key: 'CH-FR',
    name: 'Switzerland',
    iso2: 'CH',
    tongue: 'fr',
    iso3: 'CHE',
    weight: 4,
    cities: 'Geneva/Geneva/4/Genève; Lausanne/Vaud/3; Neuchâtel/Neuchâtel/1; Fribourg/Fribourg/1',
    zip: '1##0',
    streets: 'Quai du Lac; Rue du Rhône; Avenue de la Gare; Chemin des Vignes',
    house: 'last',
    phone: null,
    forms: 'SA; Sàrl',
  }),
  country(WEST, {
    name: 'France',
    iso2: 'FR',
    tongue: 'fr',
    iso3: 'FRA',
    weight: 18,
    cities:
      'Paris/Île-de-France/9; Lyon/Auvergne-Rhône-Alpes/4; Toulouse/Occitanie/3; Nantes/Pays de la Loire/3; Bordeaux/Nouvelle-Aquitaine/3; Lille/Hauts-de-France/3; Marseille/Provence-Alpes-Côte d’Azur/2; Rennes/Brittany/2; Strasbourg/Grand Est/2; Grenoble/Auvergne-Rhône-Alpes/1; Montpellier/Occitanie/1; Dijon/Burgundy/1; Brest/Brittany/1',
    zip: '#####',
    streets:
      'rue de la Gare; avenue Jean-Jaurès; quai des Tanneurs; rue du Moulin; place du Marché; rue des Tisserands; boulevard de la Liberté',
    house: 'first',
    phone: '+33 1 99 00 ## ##',
    forms: 'SAS; SARL; SA; Scop',
  }),
  country(WEST, {
    name: 'Netherlands',
    spoken: 'the Netherlands',
    iso2: 'NL',
    tongue: 'nl',
    iso3: 'NLD',
    weight: 26,
    cities:
      'Amsterdam/North Holland/7; Rotterdam/South Holland/4; Utrecht/Utrecht/3; Eindhoven/North Brabant/3; The Hague/South Holland/2/Den Haag; Groningen/Groningen/2; Arnhem/Gelderland/1; Maastricht/Limburg/1; Zwolle/Overijssel/1; Leeuwarden/Friesland/1',
    zip: '#### @@',
    streets: 'Stationsweg; Havenkade; Molenstraat; Kerkplein; Prinsengracht; Industrieweg; Oude Singel',
    house: 'last',
    phone: null,
    forms: 'B.V.; N.V.; VOF',
  }),
  country(WEST, {
    name: 'Belgium',
    iso2: 'BE',
    tongue: 'nl',
    iso3: 'BEL',
    weight: 8,
    cities:
      'Brussels/Brussels/4/Brussel; Antwerp/Flanders/3/Antwerpen; Ghent/Flanders/3/Gent; Leuven/Flanders/1; Bruges/Flanders/1/Brugge',
    zip: '####',
    streets: 'Kerkstraat; Hoogstraat; Vlasmarkt; Kanaalkaai; Stationsplein',
    house: 'last',
    phone: null,
    forms: 'NV; BV; CV',
  }),
  country(WEST, {
    key: 'BE-FR',
    name: 'Belgium',
    iso2: 'BE',
    tongue: 'fr',
    iso3: 'BEL',
    weight: 3,
    cities: 'Brussels/Brussels/3/Bruxelles; Liège/Wallonia/3; Namur/Wallonia/2; Charleroi/Wallonia/1',
    zip: '####',
    streets: 'Rue Haute; Quai au Bois; Place du Marché; Rue des Carmes',
    house: 'last',
    phone: null,
    forms: 'SA; SRL',
  }),
  country(SOUTH, {
    name: 'Spain',
    iso2: 'ES',
    tongue: 'es',
    iso3: 'ESP',
    weight: 12,
    cities:
      'Madrid/Community of Madrid/7; Barcelona/Catalonia/7; Valencia/Valencian Community/4; Bilbao/Basque Country/2; Seville/Andalusia/2/Sevilla; Málaga/Andalusia/2; Zaragoza/Aragon/2; Vigo/Galicia/1; Murcia/Region of Murcia/1; Gijón/Asturias/1; Palma/Balearic Islands/1',
    zip: '#####',
    streets:
      'Calle Mayor; Avenida de la Constitución; Calle del Molino; Paseo de la Ribera; Polígono Industrial Norte; Calle Olmo',
    house: 'last',
    phone: null,
    forms: 'S.L.; S.A.; S.L.U.; S. Coop.',
  }),
  country(SOUTH, {
    name: 'Portugal',
    iso2: 'PT',
    tongue: 'pt',
    iso3: 'PRT',
    weight: 6,
    cities:
      'Lisbon/Lisbon/5/Lisboa; Porto/Porto/4; Braga/Braga/2; Coimbra/Coimbra/1; Aveiro/Aveiro/1; Faro/Faro/1',
    zip: '####-###',
    streets: 'Rua das Flores; Avenida da Liberdade; Rua do Moinho; Largo da Estação; Rua Nova',
    house: 'last',
    phone: null,
    forms: 'Lda.; S.A.; Unipessoal Lda.',
  }),
  country(SOUTH, {
    name: 'Italy',
    iso2: 'IT',
    tongue: 'it',
    iso3: 'ITA',
    weight: 9,
    cities:
      'Milan/Lombardy/7/Milano; Rome/Lazio/4/Roma; Turin/Piedmont/3/Torino; Bologna/Emilia-Romagna/3; Florence/Tuscany/2/Firenze; Naples/Campania/2/Napoli; Verona/Veneto/2; Padua/Veneto/1/Padova; Genoa/Liguria/1/Genova; Bari/Apulia/1; Brescia/Lombardy/1; Modena/Emilia-Romagna/1',
    zip: '#####',
    streets:
      'Via Roma; Via dei Mulini; Corso Garibaldi; Via Artigiani; Piazza del Mercato; Via della Stazione',
    house: 'last',
    phone: null,
    forms: 'S.r.l.; S.p.A.; S.a.s.; Soc. Coop.',
  }),
  country(SOUTH, {
    name: 'Greece',
    iso2: 'GR',
    iso3: 'GRC',
    weight: 3,
    cities:
      'Athens/Attica/5/Αθήνα; Thessaloniki/Central Macedonia/3/Θεσσαλονίκη; Patras/Western Greece/1/Πάτρα; Heraklion/Crete/1/Ηράκλειο',
    zip: '### ##',
    streets: 'Leoforos Syngrou; Ermou; Egnatia; Odos Limani; Agiou Nikolaou',
    house: 'last',
    phone: null,
    forms: 'S.A.; P.C.; Ltd',
  }),
  country(NORTH, {
    name: 'Sweden',
    iso2: 'SE',
    iso3: 'SWE',
    weight: 12,
    cities:
      'Stockholm/Stockholm County/6; Gothenburg/Västra Götaland/4/Göteborg; Malmö/Skåne/3; Uppsala/Uppsala County/1; Umeå/Västerbotten/1; Linköping/Östergötland/1',
    zip: '### ##',
    streets: 'Storgatan; Hamngatan; Kungsgatan; Skolvägen; Bruksgatan',
    house: 'last',
    phone: '+46 8 465 004 ##',
    forms: 'AB; AB (publ); HB',
  }),
  country(NORTH, {
    name: 'Norway',
    iso2: 'NO',
    iso3: 'NOR',
    weight: 6,
    cities:
      'Oslo/Oslo/5; Bergen/Vestland/3; Trondheim/Trøndelag/2; Stavanger/Rogaland/2; Tromsø/Troms/1; Ålesund/Møre og Romsdal/1',
    zip: '####',
    streets: 'Storgata; Sjøgata; Kirkegata; Industriveien; Strandkaien',
    house: 'last',
    phone: null,
    forms: 'AS; ASA',
  }),
  country(NORTH, {
    name: 'Denmark',
    iso2: 'DK',
    iso3: 'DNK',
    weight: 7,
    cities:
      'Copenhagen/Capital Region/6/København; Aarhus/Central Denmark/3; Odense/Southern Denmark/2; Aalborg/North Denmark/1; Esbjerg/Southern Denmark/1',
    zip: '####',
    streets: 'Havnegade; Vestergade; Møllevej; Nørrebrogade; Stationsvej',
    house: 'last',
    phone: null,
    forms: 'ApS; A/S; I/S',
  }),
  country(NORTH, {
    name: 'Finland',
    iso2: 'FI',
    iso3: 'FIN',
    weight: 6,
    cities:
      'Helsinki/Uusimaa/5; Tampere/Pirkanmaa/3; Turku/Southwest Finland/2; Oulu/North Ostrobothnia/2; Kuopio/North Savo/1',
    zip: '##0##',
    streets: 'Satamakatu; Kauppakatu; Myllytie; Rautatienkatu; Koulukatu',
    house: 'last',
    phone: null,
    forms: 'Oy; Oyj; Osk',
  }),
  country(NORTH, {
    name: 'Estonia',
    iso2: 'EE',
    iso3: 'EST',
    weight: 4,
    cities: 'Tallinn/Harju County/5; Tartu/Tartu County/3; Pärnu/Pärnu County/1',
    zip: '#####',
    streets: 'Sadama; Pikk; Telliskivi; Narva maantee',
    house: 'last',
    phone: null,
    forms: 'OÜ; AS',
  }),
  country(NORTH, {
    name: 'Lithuania',
    iso2: 'LT',
    iso3: 'LTU',
    weight: 4,
    cities: 'Vilnius/Vilnius County/5; Kaunas/Kaunas County/3; Klaipėda/Klaipėda County/1',
    zip: 'LT-#####',
    streets: 'Upės gatvė; Stoties gatvė; Laisvės alėja; Uosto gatvė',
    house: 'last',
    phone: null,
    forms: 'UAB; AB',
  }),
  country(EAST, {
    name: 'Poland',
    iso2: 'PL',
    tongue: 'pl',
    iso3: 'POL',
    weight: 10,
    cities:
      'Warsaw/Masovia/6/Warszawa/w Warszawie; Krakow/Lesser Poland/4/Kraków/w Krakowie; Wrocław/Lower Silesia/4/Wrocław/we Wrocławiu; Poznań/Greater Poland/3/Poznań/w Poznaniu; Gdańsk/Pomerania/3/Gdańsk/w Gdańsku; Łódź/Łódź Voivodeship/2/Łódź/w Łodzi; Katowice/Silesia/2/Katowice/w Katowicach; Lublin/Lublin Voivodeship/1/Lublin/w Lublinie; Rzeszów/Subcarpathia/1/Rzeszów/w Rzeszowie; Białystok/Podlaskie/1/Białystok/w Białymstoku',
    zip: '##-###',
    streets: 'ul. Długa; ul. Fabryczna; ul. Kolejowa; al. Niepodległości; ul. Młyńska; ul. Ogrodowa',
    house: 'last',
    phone: null,
    forms: 'Sp. z o.o.; S.A.; Sp.k.',
  }),
  country(EAST, {
    name: 'Czech Republic',
    spoken: 'the Czech Republic',
    iso2: 'CZ',
    iso3: 'CZE',
    weight: 7,
    cities:
      'Prague/Prague/6/Praha; Brno/South Moravia/3; Ostrava/Moravia-Silesia/2; Plzeň/Plzeň Region/1; Olomouc/Olomouc Region/1',
    zip: '### ##',
    streets: 'Nádražní; Dlouhá; Mlýnská; Tovární; Nová',
    house: 'last',
    phone: null,
    forms: 's.r.o.; a.s.',
  }),
  country(EAST, {
    name: 'Romania',
    iso2: 'RO',
    iso3: 'ROU',
    weight: 6,
    cities:
      'Bucharest/Bucharest/5/București; Cluj-Napoca/Cluj/4; Timișoara/Timiș/2; Iași/Iași/2; Brașov/Brașov/1',
    zip: '######',
    streets: 'Strada Morii; Calea Victoriei; Strada Gării; Bulevardul Unirii',
    house: 'last',
    phone: null,
    forms: 'SRL; SA',
  }),
  country(EAST, {
    name: 'Ukraine',
    iso2: 'UA',
    tongue: 'uk',
    iso3: 'UKR',
    weight: 4,
    cities:
      'Kyiv/Kyiv/6/Київ/у Києві; Lviv/Lviv Oblast/4/Львів/у Львові; Kharkiv/Kharkiv Oblast/3/Харків/у Харкові; Odesa/Odesa Oblast/2/Одеса/в Одесі; Dnipro/Dnipropetrovsk Oblast/2/Дніпро/у Дніпрі; Vinnytsia/Vinnytsia Oblast/1/Вінниця/у Вінниці',
    zip: '#####',
    streets: 'Soborna Street; Zaliznychna Street; Shevchenka Avenue; Sadova Street; Rynok Square',
    house: 'first',
    phone: null,
    forms: 'LLC; PrJSC',
  }),
  country(WEST_ASIA, {
    name: 'Turkey',
    iso2: 'TR',
    tongue: 'tr',
    iso3: 'TUR',
    weight: 5,
    cities:
      'Istanbul/Istanbul/9/İstanbul/İstanbul’da; Ankara/Ankara/4/Ankara/Ankara’da; Izmir/Izmir/4/İzmir/İzmir’de; Bursa/Bursa/3/Bursa/Bursa’da; Gaziantep/Gaziantep/2/Gaziantep/Gaziantep’te; Antalya/Antalya/2/Antalya/Antalya’da; Konya/Konya/1/Konya/Konya’da; Kayseri/Kayseri/1/Kayseri/Kayseri’de',
    zip: '#####',
    streets: 'Atatürk Caddesi; Liman Sokak; Organize Sanayi Bölgesi; Çınar Sokak; İstasyon Caddesi',
    house: 'last',
    phone: null,
    forms: 'A.Ş.; Ltd. Şti.; San. ve Tic. Ltd. Şti.',
  }),
  country(WEST_ASIA, {
    name: 'Israel',
    iso2: 'IL',
    iso3: 'ISR',
    weight: 10,
    cities:
      'Tel Aviv/Tel Aviv District/7/תל אביב; Haifa/Haifa District/3/חיפה; Jerusalem/Jerusalem District/2/ירושלים; Beersheba/Southern District/1/באר שבע; Herzliya/Tel Aviv District/2/הרצליה',
    zip: '#######',
    streets: 'HaNamal Street; Derech HaYam; HaTaasiya Street; Weizmann Street; HaGefen Street',
    house: 'first',
    phone: null,
    forms: 'Ltd.',
  }),
  country(WEST_ASIA, {
    name: 'United Arab Emirates',
    spoken: 'the United Arab Emirates',
    iso2: 'AE',
    tongue: 'ar',
    iso3: 'ARE',
    weight: 9,
    cities:
      'Dubai/Dubai/8/دبي; Abu Dhabi/Abu Dhabi/4/أبوظبي; Sharjah/Sharjah/2/الشارقة; Ras Al Khaimah/Ras Al Khaimah/1/رأس الخيمة',
    zip: null,
    streets: 'Corniche Road; Airport Road; Al Wahda Street; Creek Road; Industrial Area 4',
    house: 'first',
    phone: null,
    forms: 'LLC; FZCO; FZE',
  }),
  country(WEST_ASIA, {
    name: 'Saudi Arabia',
    iso2: 'SA',
    tongue: 'ar',
    iso3: 'SAU',
    weight: 4,
    cities:
      'Riyadh/Riyadh Province/6/الرياض; Jeddah/Makkah Province/4/جدة; Dammam/Eastern Province/3/الدمام; Medina/Medina Province/1/المدينة المنورة',
    zip: '#####',
    streets: 'King Fahd Road; Olaya Street; Prince Sultan Street; Corniche Road; Second Industrial City',
    house: 'first',
    phone: null,
    forms: 'Co.; LLC; Est.',
  }),
  country(WEST_ASIA, {
    name: 'Jordan',
    iso2: 'JO',
    tongue: 'ar',
    iso3: 'JOR',
    weight: 2,
    cities: 'Amman/Amman/6/عمّان; Irbid/Irbid/1/إربد; Aqaba/Aqaba/1/العقبة',
    zip: '#####',
    streets: 'Rainbow Street; University Street; Mecca Street; Garden Street',
    house: 'first',
    phone: null,
    forms: 'LLC; Co.',
  }),
  country(NORTH_AFRICA, {
    name: 'Egypt',
    iso2: 'EG',
    tongue: 'ar',
    iso3: 'EGY',
    weight: 4,
    cities:
      'Cairo/Cairo/7/القاهرة; Alexandria/Alexandria/3/الإسكندرية; Giza/Giza/2/الجيزة; Mansoura/Dakahlia/1/المنصورة',
    zip: '#####',
    streets: 'Nile Corniche; Talaat Harb Street; El Tahrir Street; Port Said Street',
    house: 'first',
    phone: null,
    forms: 'S.A.E.; LLC',
  }),
  country(NORTH_AFRICA, {
    name: 'Morocco',
    iso2: 'MA',
    tongue: 'ar',
    iso3: 'MAR',
    weight: 3,
    cities:
      'Casablanca/Casablanca-Settat/6/الدار البيضاء; Rabat/Rabat-Salé-Kénitra/3/الرباط; Tangier/Tanger-Tétouan/2/طنجة; Marrakesh/Marrakesh-Safi/2/مراكش',
    zip: '#####',
    streets: 'Boulevard de la Corniche; Avenue des FAR; Rue du Port; Boulevard Zerktouni',
    house: 'first',
    phone: null,
    forms: 'SARL; SA',
  }),
  country(SUB_SAHARA, {
    name: 'South Africa',
    iso2: 'ZA',
    iso3: 'ZAF',
    weight: 11,
    cities:
      'Johannesburg/Gauteng/6; Cape Town/Western Cape/6; Durban/KwaZulu-Natal/3; Pretoria/Gauteng/2; Gqeberha/Eastern Cape/1; Stellenbosch/Western Cape/1',
    zip: '####',
    streets: 'Long Street; Loop Street; Rivonia Road; Harbour Road; Church Street',
    house: 'first',
    phone: null,
    forms: '(Pty) Ltd; NPC; Ltd',
  }),
  country(SUB_SAHARA, {
    name: 'Nigeria',
    iso2: 'NG',
    iso3: 'NGA',
    weight: 10,
    cities:
      'Lagos/Lagos State/8; Abuja/Federal Capital Territory/4; Ibadan/Oyo State/2; Port Harcourt/Rivers State/1; Kano/Kano State/1',
    zip: '######',
    streets: 'Marina Road; Allen Avenue; Ring Road; Market Road; Adeola Street',
    house: 'first',
    phone: null,
    forms: 'Ltd; PLC; Limited',
  }),
  country(SUB_SAHARA, {
    name: 'Kenya',
    iso2: 'KE',
    iso3: 'KEN',
    weight: 8,
    cities:
      'Nairobi/Nairobi County/7; Mombasa/Mombasa County/2; Kisumu/Kisumu County/1; Eldoret/Uasin Gishu/1',
    zip: '#####',
    streets: 'Kimathi Street; Ngong Road; Mombasa Road; Riverside Drive',
    house: 'first',
    phone: null,
    forms: 'Ltd; Limited; SACCO',
  }),
  country(SUB_SAHARA, {
    name: 'Ghana',
    iso2: 'GH',
    iso3: 'GHA',
    weight: 4,
    cities: 'Accra/Greater Accra/6; Kumasi/Ashanti/3; Takoradi/Western/1',
    zip: null,
    streets: 'Liberation Road; Oxford Street; Ring Road East; Harbour Road',
    house: 'first',
    phone: null,
    forms: 'Ltd; Company Ltd',
  }),
  country(SOUTH_ASIA, {
    name: 'India',
    iso2: 'IN',
    tongue: 'hi',
    iso3: 'IND',
    weight: 30,
    cities:
      'Bengaluru/Karnataka/9/बेंगलुरु; Mumbai/Maharashtra/8/मुंबई; New Delhi/Delhi/6/नई दिल्ली; Hyderabad/Telangana/5/हैदराबाद; Pune/Maharashtra/5/पुणे; Chennai/Tamil Nadu/5/चेन्नई; Ahmedabad/Gujarat/3/अहमदाबाद; Kolkata/West Bengal/3/कोलकाता; Jaipur/Rajasthan/2/जयपुर; Coimbatore/Tamil Nadu/1/कोयंबटूर; Indore/Madhya Pradesh/2/इंदौर; Lucknow/Uttar Pradesh/2/लखनऊ; Kochi/Kerala/1/कोच्चि; Nagpur/Maharashtra/1/नागपुर',
    zip: '######',
    streets:
      'MG Road; Station Road; Industrial Area Phase II; Nehru Marg; Residency Road; Mill Road; Sector 18',
    house: 'first',
    phone: null,
    forms: 'Pvt. Ltd.; Private Limited; Limited; LLP',
  }),
  country(SOUTH_ASIA, {
    name: 'Pakistan',
    iso2: 'PK',
    iso3: 'PAK',
    weight: 4,
    cities: 'Karachi/Sindh/5; Lahore/Punjab/5; Islamabad/Islamabad/3; Faisalabad/Punjab/2',
    zip: '#####',
    streets: 'Mall Road; Canal Bank Road; Shahrah-e-Faisal; Jail Road',
    house: 'first',
    phone: null,
    forms: '(Pvt.) Ltd.; (SMC-Private) Limited',
  }),
  country(SOUTH_ASIA, {
    name: 'Bangladesh',
    iso2: 'BD',
    iso3: 'BGD',
    weight: 3,
    cities: 'Dhaka/Dhaka Division/6; Chattogram/Chattogram Division/3; Sylhet/Sylhet Division/1',
    zip: '####',
    streets: 'Gulshan Avenue; Mirpur Road; Station Road; Agrabad Road',
    house: 'first',
    phone: null,
    forms: 'Ltd.; Limited',
  }),
  country(EAST_ASIA, {
    name: 'Japan',
    iso2: 'JP',
    tongue: 'ja',
    iso3: 'JPN',
    weight: 5,
    cities:
      'Tokyo/Tokyo/9/東京; Osaka/Osaka/5/大阪; Nagoya/Aichi/3/名古屋; Fukuoka/Fukuoka/3/福岡; Kyoto/Kyoto/3/京都; Sapporo/Hokkaido/2/札幌; Sendai/Miyagi/2/仙台; Kanazawa/Ishikawa/1/金沢; Hamamatsu/Shizuoka/1/浜松; Kobe/Hyogo/2/神戸',
    zip: '###-####',
    streets: 'Minato-cho; Honmachi; Sakae; Ekimae-dori; Nishi-machi',
    house: 'first',
    phone: null,
    forms: 'Co., Ltd.; K.K.; Inc.',
  }),
  country(EAST_ASIA, {
    name: 'South Korea',
    iso2: 'KR',
    tongue: 'ko',
    iso3: 'KOR',
    weight: 4,
    cities:
      'Seoul/Seoul/8/서울; Busan/Busan/3/부산; Daejeon/Daejeon/2/대전; Incheon/Incheon/2/인천; Daegu/Daegu/2/대구; Gwangju/Gwangju/1/광주; Suwon/Gyeonggi/2/수원',
    zip: '#####',
    streets: 'Teheran-ro; Haeundae-ro; Gongdan-ro; Seosomun-ro; Digital-ro',
    house: 'first',
    phone: null,
    forms: 'Co., Ltd.; Inc.',
  }),
  country(EAST_ASIA, {
    name: 'China',
    iso2: 'CN',
    tongue: 'zh',
    iso3: 'CHN',
    weight: 5,
    cities:
      'Shanghai/Shanghai/7/上海; Shenzhen/Guangdong/6/深圳; Beijing/Beijing/5/北京; Hangzhou/Zhejiang/4/杭州; Suzhou/Jiangsu/3/苏州; Chengdu/Sichuan/3/成都; Guangzhou/Guangdong/3/广州; Wuhan/Hubei/2/武汉; Xiamen/Fujian/1/厦门; Qingdao/Shandong/2/青岛',
    zip: '######',
    streets: 'Zhongshan Road; Keji Road; Binjiang Avenue; Renmin Road; Xueyuan Road',
    house: 'first',
    phone: null,
    forms: 'Co., Ltd.; Group Co., Ltd.',
  }),
  country(EAST_ASIA, {
    name: 'Taiwan',
    iso2: 'TW',
    tongue: 'zh',
    iso3: 'TWN',
    weight: 4,
    cities:
      'Taipei/Taipei City/6/台北; Hsinchu/Hsinchu City/3/新竹; Taichung/Taichung City/3/台中; Kaohsiung/Kaohsiung City/2/高雄; Tainan/Tainan City/1/台南',
    zip: '###',
    streets: 'Zhongxiao East Road; Minsheng Road; Gongye Road; Heping West Road',
    house: 'first',
    phone: null,
    forms: 'Co., Ltd.; Inc.',
  }),
  country(SOUTH_EAST_ASIA, {
    name: 'Singapore',
    iso2: 'SG',
    iso3: 'SGP',
    weight: 13,
    cities: 'Singapore//1',
    zip: '######',
    streets: 'Robinson Road; Tuas Avenue; Cecil Street; Ubi Road; Science Park Drive',
    house: 'first',
    phone: null,
    forms: 'Pte. Ltd.; Pte Ltd',
  }),
  country(SOUTH_EAST_ASIA, {
    name: 'Indonesia',
    iso2: 'ID',
    iso3: 'IDN',
    weight: 7,
    cities:
      'Jakarta/Jakarta/7; Surabaya/East Java/3; Bandung/West Java/3; Yogyakarta/Special Region of Yogyakarta/2; Denpasar/Bali/2; Medan/North Sumatra/1',
    zip: '#####',
    streets: 'Jalan Sudirman; Jalan Merdeka; Jalan Industri; Jalan Raya Barat; Jalan Kebun',
    house: 'last',
    phone: null,
    forms: 'Tbk; Indonesia',
  }),
  country(SOUTH_EAST_ASIA, {
    name: 'Vietnam',
    iso2: 'VN',
    iso3: 'VNM',
    weight: 5,
    cities: 'Ho Chi Minh City/Ho Chi Minh City/6; Hanoi/Hanoi/5; Da Nang/Da Nang/2; Hai Phong/Hai Phong/1',
    zip: '######',
    streets: 'Le Loi Street; Tran Hung Dao Street; Nguyen Hue Street; Bach Dang Street',
    house: 'first',
    phone: null,
    forms: 'JSC; Co., Ltd.',
  }),
  country(SOUTH_EAST_ASIA, {
    name: 'Thailand',
    iso2: 'TH',
    iso3: 'THA',
    weight: 4,
    cities:
      'Bangkok/Bangkok/7/กรุงเทพฯ; Chiang Mai/Chiang Mai/2/เชียงใหม่; Phuket/Phuket/1/ภูเก็ต; Khon Kaen/Khon Kaen/1/ขอนแก่น; Chon Buri/Chon Buri/1/ชลบุรี',
    zip: '#####',
    streets: 'Sukhumvit Road; Rama IV Road; Charoen Krung Road; Nimman Road; Silom Road',
    house: 'first',
    phone: null,
    forms: 'Co., Ltd.; PCL',
  }),
  country(SOUTH_EAST_ASIA, {
    name: 'Philippines',
    spoken: 'the Philippines',
    iso2: 'PH',
    iso3: 'PHL',
    weight: 6,
    cities:
      'Makati/Metro Manila/4; Quezon City/Metro Manila/4; Cebu City/Cebu/3; Davao City/Davao del Sur/2; Iloilo City/Iloilo/1',
    zip: '####',
    streets: 'Ayala Avenue; Katipunan Avenue; Osmeña Boulevard; Ortigas Avenue',
    house: 'first',
    phone: null,
    forms: 'Inc.; Corp.; Corporation',
  }),
  country(OCEANIA, {
    name: 'Australia',
    iso2: 'AU',
    iso3: 'AUS',
    weight: 36,
    cities:
      'Sydney/New South Wales/7; Melbourne/Victoria/7; Brisbane/Queensland/4; Perth/Western Australia/3; Adelaide/South Australia/2; Hobart/Tasmania/1; Canberra/Australian Capital Territory/1; Newcastle/New South Wales/1; Geelong/Victoria/1',
    zip: '####',
    streets: 'Collins Street; Harbour Parade; Station Street; Bourke Road; Wattle Street; Beach Road',
    house: 'first',
    phone: '+61 2 5550 ####',
    forms: 'Pty Ltd; Pty. Ltd.; Ltd',
  }),
  country(OCEANIA, {
    name: 'New Zealand',
    iso2: 'NZ',
    iso3: 'NZL',
    weight: 9,
    cities:
      'Auckland/Auckland/5; Wellington/Wellington/3; Christchurch/Canterbury/3; Dunedin/Otago/1; Nelson/Nelson/1; Hamilton/Waikato/1',
    zip: '####',
    streets: 'Queen Street; Cuba Street; Port Road; Colombo Street; Lambton Quay',
    house: 'first',
    phone: null,
    forms: 'Ltd; Limited',
  }),
  country(LATIN, {
    name: 'Brazil',
    iso2: 'BR',
    tongue: 'pt',
    iso3: 'BRA',
    weight: 10,
    cities:
      'São Paulo/São Paulo/10; Rio de Janeiro/Rio de Janeiro/4; Belo Horizonte/Minas Gerais/4; Curitiba/Paraná/3; Porto Alegre/Rio Grande do Sul/3; Florianópolis/Santa Catarina/2; Recife/Pernambuco/2; Campinas/São Paulo/2; Fortaleza/Ceará/2; Salvador/Bahia/2; Goiânia/Goiás/1; Joinville/Santa Catarina/1',
    zip: '#####-###',
    streets:
      'Rua das Acácias; Avenida Brasil; Rua do Comércio; Avenida Getúlio Vargas; Rua XV de Novembro; Rodovia Norte',
    house: 'last',
    phone: null,
    forms: 'Ltda.; S.A.; EIRELI; ME',
  }),
  country(LATIN, {
    name: 'Mexico',
    iso2: 'MX',
    tongue: 'es',
    iso3: 'MEX',
    weight: 8,
    cities:
      'Mexico City/Mexico City/8/Ciudad de México; Monterrey/Nuevo León/5; Guadalajara/Jalisco/4; Querétaro/Querétaro/2; Puebla/Puebla/2; Tijuana/Baja California/1; Mérida/Yucatán/1; León/Guanajuato/1',
    zip: '#####',
    streets: 'Avenida Reforma; Calle Hidalgo; Calle 5 de Mayo; Avenida Juárez; Calzada del Valle',
    house: 'last',
    phone: null,
    forms: 'S.A. de C.V.; S. de R.L. de C.V.; S.A.P.I. de C.V.',
  }),
  country(LATIN, {
    name: 'Argentina',
    iso2: 'AR',
    tongue: 'es',
    iso3: 'ARG',
    weight: 5,
    cities:
      'Buenos Aires/Buenos Aires/7; Córdoba/Córdoba/3; Rosario/Santa Fe/3; Mendoza/Mendoza/2; Bariloche/Río Negro/1',
    zip: '@####',
    streets: 'Calle San Martín; Avenida Belgrano; Calle Rivadavia; Avenida Colón; Calle Mitre',
    house: 'last',
    phone: null,
    forms: 'S.A.; S.R.L.; S.A.S.',
  }),
  country(LATIN, {
    name: 'Colombia',
    iso2: 'CO',
    tongue: 'es',
    iso3: 'COL',
    weight: 5,
    cities:
      'Bogotá/Bogotá/6; Medellín/Antioquia/5; Cali/Valle del Cauca/2; Barranquilla/Atlántico/1; Bucaramanga/Santander/1',
    zip: '######',
    streets: 'Carrera 7; Calle 72; Avenida El Poblado; Carrera 43A; Calle 10',
    house: 'last',
    phone: null,
    forms: 'S.A.S.; S.A.; Ltda.',
  }),
  country(LATIN, {
    name: 'Chile',
    iso2: 'CL',
    tongue: 'es',
    iso3: 'CHL',
    weight: 4,
    cities:
      'Santiago/Santiago Metropolitan/7; Valparaíso/Valparaíso/2; Concepción/Biobío/2; Antofagasta/Antofagasta/1; Puerto Montt/Los Lagos/1',
    zip: '#######',
    streets: 'Avenida Providencia; Calle Huérfanos; Avenida Apoquindo; Calle Prat',
    house: 'last',
    phone: null,
    forms: 'SpA; S.A.; Ltda.',
  }),
  country(LATIN, {
    name: 'Peru',
    iso2: 'PE',
    tongue: 'es',
    iso3: 'PER',
    weight: 3,
    cities: 'Lima/Lima/6; Arequipa/Arequipa/2; Trujillo/La Libertad/1; Cusco/Cusco/1',
    zip: '#####',
    streets: 'Avenida Arequipa; Jirón de la Unión; Avenida Larco; Calle Comercio',
    house: 'last',
    phone: null,
    forms: 'S.A.C.; S.A.; E.I.R.L.',
  }),
];
