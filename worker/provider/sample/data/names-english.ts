// Parts of English and coined company names. Lists are disjoint, so that a name can be read back into its parts.
import { list } from '../vocabulary.ts';

/** First halves of compound names. */
export const COMPOUND_FIRST = list(
  'Alder; Anvil; Barley; Birch; Bracken; Bramble; Briar; Cairn; Candle; Cinder; Clover; Cobble; Cove; Crane; Drift; Dusk; Elder; Ember; Fallow; Feather; Fern; Finch; Gannet; Garnet; Gorse; Granite; Harrow; Hazel; Heath; Heron; Hollin; Hollow; Keel; Larch; Lark; Linnet; Loom; Marl; Marsh; Moss; Nettle; Otter; Peat; Pebble; Pewter; Plover; Quarry; Quill; Rook; Rowan; Rush; Sable; Saffron; Shale; Sorrel; Sparrow; Spindle; Starling; Tallow; Teasel; Thatch; Thistle; Thrush; Umber; Vesper; Walnut; Wicker; Winnow; Wren; Yarrow',
);

/** Second halves of compound names. */
export const COMPOUND_SECOND = list(
  'bank; beam; bend; bridge; brook; cliff; crest; croft; dale; fall; fell; field; ford; forge; gate; grove; haven; hill; hold; hurst; lane; leaf; light; line; loft; mere; mill; path; point; reach; ridge; rise; row; shore; span; spring; stead; strand; vale; ward; water; way; well; wharf; wick; works; yard',
);

/** Uncommon words that stand for themselves. */
export const RARE_WORDS = list(
  'Tamarack; Quillon; Larkspur; Petrichor; Ravelin; Escarp; Trivet; Gantry; Lodestar; Capstan; Bollard; Halyard; Sextant; Astrolabe; Plinth; Corbel; Mullion; Lintel; Cupola; Parapet; Gambrel; Dovetail; Mortise; Tenon; Burnish; Ferrule; Grommet; Bobbin; Heddle; Treadle; Selvedge; Tansy; Comfrey; Borage; Lovage; Tormentil; Samphire; Kittiwake; Dunlin; Curlew; Lapwing; Fulmar; Godwit; Wheatear; Whinchat; Goshawk; Bittern; Avocet; Pangolin; Caracal; Ibex; Tapir; Quokka; Gudgeon; Tench; Perihelion; Sirocco; Tramontane; Levanter; Foehn; Feldspar; Gneiss; Tourmaline; Peridot; Carnelian; Malachite; Azurite; Celadon; Vermilion; Ochre; Palimpsest; Colophon; Vellum; Codicil; Marginalia; Interrobang; Caesura; Fermata; Ostinato; Arpeggio; Tessitura; Almanac; Gazetteer; Cartouche; Escapement; Gnomon; Vernier; Plumbline; Theodolite; Trammel; Hawser; Skerry; Machair; Tarn & Tor|tarntor; Cwm; Isthmus; Estuary; Haymaker; Nightjar',
);

/** Small towns that are on no map. */
export const TOWN_FIRST = list(
  'Wex; Tarns; Merrow; Calver; Haws; Pend; Thorns; Alding; Brant; Corsen; Dunner; Eggle; Farn; Glas; Hether; Ingle; Keld; Loxen; Mabble; Nether; Orle; Pell; Quen; Rams; Selling; Tave; Ulver; Wend; Yaffle; Athers',
);

/** Endings of small towns. */
export const TOWN_SECOND = list(
  'combe; worth; dale; ham; bury; mouth; by; thwaite; minster; stead; holme; gill; beck; bourne; port; cross',
);

/** Family names, the ones that come first in a partnership. */
export const SURNAMES = list(
  'Pemberlow; Ashgrave; Thackrington; Wolverlee; Brindlecombe; Castlemere; Dunworthy; Eddowson; Fairbrother; Garrowby; Inglesant; Jessamy; Kettleborough; Mossgrave; Nethercote; Oglethwaite; Penhallow; Quarmby; Ravenshaw; Tolliver; Underhay; Venning; Yelverton; Zouchley; Okonjo; Adebanjo; Ellerby; Farnsworthy; Haldane; Isherwood; Kinsella; Loxwood; Maddern; Prideaux; Rushforth; Trevanion; Ullathorne; Wetherall; Nakimura; Castellow; Brannigan; Dalrymple; Mackinlay; Osterhout; Vanterpool; Featherstone',
);

/** Family names, the ones that come second in a partnership. */
export const PARTNER_NAMES = list(
  'Abernath; Birdsall; Corrigan; Delacroy; Ekwueme; Frobisher; Greaveson; Hargest; Ibbotson; Jellicoe; Kerrison; Lattimer; Mulgrew; Norwood; Ormsby; Pascoe; Quiller; Rosewarne; Sandiford; Tremayne; Uppington; Vickerstaff; Wainfleet; Yardley-Moss|yardleymoss; Achterberg; Bhandari; Chaudhry; Drummore; Eastlake; Fennimore; Gathercole; Holdsworth; Iredale; Jephson; Kumarasinghe; Lindqvist; Marchetti; Nwachukwu; Oyelaran; Petherick',
);

/** Letters of abbreviated names. */
export const LETTERS_FIRST = list('B; D; G; H; J; K; M; N; Q; R; T; V; W; Z');
/** Second letters. */
export const LETTERS_SECOND = list('J; K; Q; V; W; X; Z');
/** Third letters. */
export const LETTERS_THIRD = list('B; D; G; L; M; N; P; R; T; V');

/** First words of names such as "Crooked Kettle". */
export const PHRASE_FIRST = list(
  'Quiet; Second; Honest; Paper; Velvet; Crooked; Patient; Tin; Wandering; Sunday; Borrowed; Blue; Little; Midnight; Plain; Salted; Hidden; Brass; Wooden; Painted; Early; Northbound; Loose; Gentle; Upstairs; Backyard; Woollen; Speckled',
);

/** Second words of such names. */
export const PHRASE_SECOND = list(
  'Harbour; Orchard; Lantern; Kettle; Pear; Ladder; Teapot; Compass; Bicycle; Anchor; Window; Thimble; Walrus; Fox; Comet; Garden; Spoon; Button; Acorn; Moth; Ferry; Umbrella; Radio; Porch; Fig; Goat; Chimney; Loaf; Magpie; Turnip',
);

/** First halves of coined names: each ends in a consonant. */
export const COINED_FIRST = list(
  'Ald; Bran; Brov; Cind; Del; Dorm; Dresk; Elv; Falk; Farn; Fend; Gald; Gild; Havr; Hest; Ild; Ist; Jend; Jorv; Kald; Kev; Krod; Lav; Lond; Lum; Mald; Merv; Mond; Narv; Nest; Nost; Ob; Old; Orv; Pald; Pent; Perd; Quil; Quorn; Rav; Rhed; Rost; Sard; Selv; Sond; Stel; Tald; Tarv; Tess; Torv; Ulm; Umbr; Vand; Vel; Vort; Wend; Wist; Wynd; Yarv; Zald; Zand; Zest; Zorv',
);
/** Vowels in the middle of coined names. */
export const COINED_MIDDLE = list('a; e; i; o; u');
/** Endings of coined names: each begins with a consonant. */
export const COINED_LAST = list(
  'bra; cta; dex; dra; fy; gon; kta; lex; lia; lio; lis; lo; mba; mo; nix; nta; ntis; pho; qua; rik; rro; sta; sto; tra; va; vent; via; vix; xa; zen',
);

/** First halves of scientific-sounding names. */
export const LEARNED_FIRST = list(
  'Aer; Axi; Bas; Cer; Cyn; Dyn; Eld; Flux; Glyc; Hex; Ion; Kry; Lith; Lyr; Magn; Neb; Nov; Oct; Orb; Pax; Phae; Prax; Rhiz; Sci; Syn; Tect; Tri; Verd; Xen; Zeph; Calc; Ferr; Helix',
);
/** Second halves of scientific-sounding names. */
export const LEARNED_SECOND = list(
  'adon; aris; elis; entra; eon; erra; ient; ilon; imar; inor; istra; onis; ora; oris; umen; yra; yst; alto; arc; ivo; odyne; anthe',
);

/** Last words that say little, for scientific-sounding names, with the trades that they fit; empty fits any. */
export const NEUTRAL_TAILS: readonly (readonly [tail: string, trades: string])[] = [
  ['Labs', 'dataplatform; language; biotech; security; sensors; cosmetics'],
  ['Systems', 'sensors; security; storage; telematics; warehousing; hvac; drones'],
  ['Technologies', 'chips; dataplatform; sensors; drones; storage; payments; itservices'],
  ['Group', ''],
  ['Holdings', 'property; mining; wealth; freight; foodmaker; hotel; autoparts'],
  ['AI', 'language; dataplatform; hrtech; legaltech; clinicsoft'],
  ['Digital', 'agency; itservices; edtech; payments; publisher'],
  ['Solutions', 'itservices; consulting; recruiting; hvac; packaging; freight; telecom'],
  ['International', ''],
  ['Industries', 'plastics; coatings; machining; autoparts; textiles; packaging'],
  ['Health', 'clinicsoft; hospital; meddevices; fitness; dental'],
  ['Biosciences', 'biotech'],
  ['Energy', 'solar; storage'],
  ['Capital', 'wealth; property'],
  ['Networks', 'telecom; security; itservices'],
  ['Analytics', 'dataplatform'],
  ['Global', 'freight; wholesale; recruiting; consulting; insurance; edtech'],
  ['Security', 'security'],
  ['Mobility', 'telematics; autoparts; courier'],
  ['Pharma', 'pharma'],
  ['Therapeutics', 'biotech; pharma'],
  ['Games', 'games'],
  ['Aerospace', 'drones'],
  ['Materials', 'coatings; plastics; mining; textiles'],
  ['Instruments', 'sensors; meddevices'],
];

/** Tails for town names: institutions, and businesses that are named after their town. */
export const TOWN_TAILS: readonly (readonly [tail: string, trades: string])[] = [
  ['General Hospital', 'hospital'],
  ['Medical Centre', 'hospital; dental'],
  ['Dental Care', 'dental'],
  ['Veterinary Clinic', 'vets'],
  ['Community College', 'college'],
  ['Institute of Technology', 'college'],
  ['Grammar School', 'school'],
  ['International School', 'school'],
  ['Credit Union', 'banking'],
  ['Building Society', 'banking'],
  ['Brewery', 'drinks'],
  ['Creamery', 'foodmaker'],
  ['Farm Shop', 'farm'],
  ['Inn & Spa', 'hotel'],
  ['Food Bank', 'charity'],
  ['Community Trust', 'charity'],
  ['Historical Society', 'museum'],
  ['Playhouse', 'museum'],
  ['Gazette', 'publisher'],
  ['Water', 'recycling'],
  ['Power', 'solar; storage'],
  ['Haulage', 'freight; courier'],
  ['Timber', 'wholesale; contractor; furniture'],
  ['Joinery', 'furniture'],
  ['Engineering', 'machining; packaging; autoparts'],
  ['Housing', 'property'],
  ['Quarries', 'mining'],
  ['Cycles', 'sports'],
  ['Mutual', 'insurance'],
  ['Leisure', 'fitness; hotel'],
];

/** Tails for partnerships. */
export const PARTNERSHIP_TAILS: readonly (readonly [tail: string, trades: string])[] = [
  ['LLP', 'law; accounting; architects'],
  ['Solicitors', 'law'],
  ['Architects', 'architects'],
  ['Associates', 'consulting; recruiting; architects; civil; property'],
  ['Advisory', 'consulting; wealth; accounting'],
  ['Fine Foods', 'foodmaker; wholesale'],
  ['Interiors', 'design; furniture'],
  ['Recruitment', 'recruiting'],
  ['Capital Partners', 'wealth'],
  ['Booksellers', 'publisher; onlineshop'],
  ['Tailors', 'fashion'],
  ['Wine Merchants', 'wholesale; drinks'],
  ['Estate Agents', 'property'],
  ['Insurance Brokers', 'insurance'],
  ['Consulting Engineers', 'civil; hvac'],
  ['Freight', 'freight'],
];

/** Tails for names such as "Crooked Kettle". */
export const PHRASE_TAILS: readonly (readonly [tail: string, trades: string])[] = [
  ['Studio', 'design; film; games'],
  ['Collective', 'agency; charity; fashion; design'],
  ['Coffee Co.', 'coffee'],
  ['Kitchen', 'restaurant; foodmaker'],
  ['Press', 'publisher'],
  ['Books', 'publisher; onlineshop'],
  ['Yoga', 'fitness'],
  ['Pictures', 'film'],
  ['Brewing Co.', 'drinks'],
  ['Bakery', 'foodmaker; restaurant'],
  ['Games', 'games'],
  ['Goods', 'onlineshop; fashion; sports'],
  ['Hotel', 'hotel'],
  ['Theatre', 'museum; events'],
  ['Farm', 'farm'],
  ['Furniture', 'furniture'],
  ['Soap Works', 'cosmetics'],
  ['Travel', 'travel'],
  ['Creative', 'agency'],
  ['Nursery School', 'school'],
];

/** First halves of product-like names such as "FleetOtter", with the trade that each gives away. */
export const PRODUCT_FIRST: readonly (readonly [first: string, trades: string])[] = [
  ['Fleet', 'telematics'],
  ['Shift', 'hrtech'],
  ['Clause', 'legaltech'],
  ['Crop', 'sensors; drones'],
  ['Pay', 'payments'],
  ['Ledger', 'payments; dataplatform'],
  ['Clinic', 'clinicsoft'],
  ['Learn', 'edtech'],
  ['Rent', 'property'],
  ['Menu', 'tablesoft'],
  ['Cart', 'onlineshop'],
  ['Claim', 'insurance'],
  ['Grid', 'storage; solar'],
  ['Query', 'dataplatform'],
  ['Form', 'workflow'],
  ['Parcel', 'courier'],
  ['Voice', 'language'],
  ['Hire', 'recruiting'],
  ['Vault', 'security'],
  ['Stack', 'itservices; dataplatform'],
  ['Trip', 'travel'],
  ['Loop', 'recycling'],
];

/** Second halves of product-like names. */
export const PRODUCT_SECOND = list(
  'Aardwolf; Badger; Beaver; Bison; Cactus; Camel; Cricket; Dipper; Dolphin; Ermine; Ferret; Gecko; Gibbon; Heronry; Iguana; Jackdaw; Koala; Lemming; Lynx; Mallow; Marmot; Mango; Newt; Oriole; Papaya; Pelican; Pumpkin; Puffin; Raccoon; Radish; Salmon; Stoat; Tamarind; Toucan; Turtle; Vole; Wallaby; Walnuts; Weasel; Zebu',
);
