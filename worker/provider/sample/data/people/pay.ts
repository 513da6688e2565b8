// How postings write salaries in each country.

/** The salaries of one country. */
export interface PayStyle {
  /** yearly pay in the country's money for a thousand US dollars of yearly pay there, in thousandths */
  perThousand: number;
  /** 1 = told by the year, 12 = by the month */
  months: 1 | 12;
  /** what one figure stands for: 1, 1,000, 10,000 */
  unit: number;
  /** figures are rounded down to multiples of this */
  step: number;
  /** between thousands */
  separator: string;
  /** `<low>` and `<high>` */
  patterns: readonly string[];
}

function style(
  perThousand: number,
  months: 1 | 12,
  unit: number,
  step: number,
  separator: string,
  ...patterns: string[]
): PayStyle {
  return { perThousand, months, unit, step, separator, patterns };
}

/** Styles by ISO code; postings of other countries name no pay. */
export const PAY_STYLES: ReadonlyMap<string, PayStyle> = new Map([
  [
    'US',
    style(
      1_000_000,
      1,
      1,
      500,
      ',',
      '$<low> - $<high> a year',
      '$<low>.00/yr - $<high>.00/yr',
      'USD <low> to <high>, depending on experience',
      '$<low>–$<high>',
    ),
  ],
  ['CA', style(930_000, 1, 1, 500, ',', '$<low> - $<high> a year', 'CAD <low> to <high> per year')],
  [
    'GB',
    style(
      545_000,
      1,
      1,
      500,
      ',',
      '£<low> - £<high> per annum',
      '£<low> to £<high>',
      'Up to £<high> plus benefits',
      '£<low> per annum (pro rata)',
    ),
  ],
  ['IE', style(640_000, 1, 1, 500, ',', '€<low> - €<high> per annum', '€<low>–€<high> DOE')],
  [
    'DE',
    style(
      640_000,
      1,
      1,
      1000,
      '.',
      '<low> € – <high> € brutto im Jahr',
      '<low> bis <high> EUR',
      'ab <low> € p. a.',
    ),
  ],
  [
    'AT',
    style(
      600_000,
      1,
      1,
      1000,
      '.',
      'ab <low> € brutto jährlich, Überzahlung möglich',
      '<low> – <high> € brutto/Jahr',
    ),
  ],
  ['CH', style(1_020_000, 1, 1, 1000, '’', 'CHF <low> – <high>', 'CHF <low>.– bis <high>.– (100 %)')],
  [
    'FR',
    style(
      520_000,
      1,
      1,
      1000,
      ' ',
      '<low> € – <high> € brut annuel',
      'De <low> à <high> euros par an',
      'Selon expérience, <low> € à <high> €',
    ),
  ],
  [
    'BE',
    style(560_000, 12, 1, 50, '.', '€ <low> – € <high> bruto per maand', '<low> à <high> € brut par mois'),
  ],
  [
    'NL',
    style(600_000, 12, 1, 50, '.', '€ <low> - € <high> per maand', '€<low>,- tot €<high>,- bruto per maand'),
  ],
  [
    'ES',
    style(400_000, 1, 1, 1000, '.', '<low> € – <high> € brutos/año', '<low>-<high> euros brutos anuales'),
  ],
  ['PT', style(290_000, 12, 1, 50, '.', '<low> € – <high> € por mês')],
  ['IT', style(430_000, 1, 1, 1000, '.', 'RAL <low> – <high> €', '<low> € - <high> € lordi annui')],
  ['SE', style(5_600_000, 12, 1, 500, ' ', '<low> – <high> kr/mån')],
  ['NO', style(7_200_000, 1, 1, 5000, ' ', 'kr <low> – <high> per år')],
  ['DK', style(5_900_000, 12, 1, 500, '.', '<low> – <high> kr. pr. måned')],
  ['FI', style(520_000, 12, 1, 50, ' ', '<low> – <high> €/kk')],
  ['PL', style(1_900_000, 12, 1, 100, ' ', '<low> – <high> zł brutto / mies.', '<low>–<high> PLN')],
  ['CZ', style(8_600_000, 12, 1, 500, ' ', '<low> – <high> Kč za měsíc')],
  ['UA', style(7_000_000, 12, 1, 1000, ' ', '<low> – <high> грн на місяць', 'від <low> грн')],
  ['IN', style(13_000_000, 1, 100_000, 1, ',', '₹<low> - ₹<high> LPA', '<low>-<high> Lacs PA')],
  ['JP', style(62_000_000, 1, 10_000, 10, ',', '年収<low>万円〜<high>万円', '<low>万円 ～ <high>万円')],
  ['KR', style(560_000_000, 1, 10_000, 100, ',', '연봉 <low>만원 ~ <high>만원', '<low>만원 이상')],
  [
    'CN',
    style(2_200_000, 12, 1000, 1, ',', '<low>-<high>K', '<low>k-<high>k·13薪', '月薪<low>千-<high>千元'),
  ],
  ['TW', style(11_000_000, 12, 1, 1000, ',', '月薪 <low>~<high> 元')],
  ['SG', style(800_000, 12, 1, 100, ',', 'S$<low> - S$<high> a month', 'SGD <low> – <high> monthly')],
  [
    'AU',
    style(
      980_000,
      1,
      1,
      1000,
      ',',
      '$<low> - $<high> plus super',
      'AUD <low> – <high>',
      '$<low> – $<high> per year',
    ),
  ],
  ['NZ', style(900_000, 1, 1, 1000, ',', '$<low> - $<high>', 'NZD <low> to <high>')],
  ['ZA', style(6_400_000, 1, 1, 5000, ' ', 'R<low> - R<high> per annum')],
  ['AE', style(2_500_000, 12, 1, 500, ',', 'AED <low> – <high> per month')],
  ['BR', style(1_050_000, 12, 1, 100, '.', 'R$ <low> – R$ <high> por mês', 'R$ <low>,00 a R$ <high>,00')],
  ['MX', style(5_600_000, 12, 1, 500, ',', '$<low> - $<high> MXN mensuales')],
  ['CO', style(1_000_000_000, 12, 1, 100_000, '.', '$<low> a $<high> COP')],
]);

/** Salaries without figures, by language of the posting. */
export const VAGUE_PAY: Readonly<Record<string, readonly string[]>> = {
  en: ['Competitive', 'Negotiable', 'Competitive salary plus bonus', 'DOE'],
  de: ['nach Vereinbarung', 'Tarif'],
  fr: ['Selon profil', 'À négocier'],
  es: ['A convenir', 'Según valía'],
  pt: ['A combinar'],
  it: ['Da concordare'],
  nl: ['In overleg', 'Marktconform'],
  ja: ['経験・能力による', '当社規定による'],
  zh: ['面议'],
  ko: ['회사 내규에 따름', '협의 후 결정'],
};
