// All languages of descriptions other than English.
import type { Language, Prose } from '../../vocabulary.ts';
import { ARABIC } from './arabic.ts';
import { CHINESE } from './chinese.ts';
import { DUTCH } from './dutch.ts';
import { FRENCH } from './french.ts';
import { GERMAN } from './german.ts';
import { HINDI } from './hindi.ts';
import { ITALIAN } from './italian.ts';
import { JAPANESE } from './japanese.ts';
import { KOREAN } from './korean.ts';
import { POLISH } from './polish.ts';
import { PORTUGUESE } from './portuguese.ts';
import { SPANISH } from './spanish.ts';
import { TURKISH } from './turkish.ts';
import { UKRAINIAN } from './ukrainian.ts';

/** Sentences by language; English has its own, larger tables. */
export const PROSE: ReadonlyMap<Language, Prose> = new Map(
  [
    GERMAN,
    FRENCH,
    SPANISH,
    PORTUGUESE,
    ITALIAN,
    DUTCH,
    POLISH,
    TURKISH,
    UKRAINIAN,
    JAPANESE,
    CHINESE,
    KOREAN,
    ARABIC,
    HINDI,
  ].map((prose) => [prose.language, prose]),
);

/** Parts of words by which a sentence shows that it speaks of a business and its customers. */
export const BUSINESS_WORDS: readonly string[] = [
  ...[
    'Kunde',
    'Unternehmen',
    'Betrieb',
    'Auftrag',
    'Angebot',
    'Preis',
    'Wachstum',
    'Ware',
    'Banken',
    'Projekt',
  ],
  ...['client', 'ntreprise', 'société', 'devis', 'salarié', 'Maison', 'maison', 'vendons', 'bénéfices'],
  ...[
    'empresa',
    'Empresa',
    'presupuesto',
    'encargo',
    'proveedor',
    'socios',
    'pedido',
    'fornecedor',
    'mercado',
  ],
  ...[
    'aziend',
    'fatturato',
    'preventivi',
    'klant',
    'bedrijf',
    'firm',
    'Firm',
    'klient',
    'Klient',
    'müşteri',
    'Müşteri',
  ],
  ...[
    'клієнт',
    'компан',
    'Компан',
    'お客様',
    '会社',
    '納期',
    '取引',
    '客户',
    '公司',
    '企业',
    '交期',
    '고객',
    '기업',
    '납기',
  ],
  ...[
    'عملا',
    'عميل',
    'شركة',
    'الشركة',
    'ग्राहक',
    'कंपनी',
    'rynku',
    'Ceny',
    'Compramos',
    'comprar',
    '{does}を手がける',
  ],
];
