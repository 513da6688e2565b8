// The sample companies: plausible, and the tables and texts that they are made of.
import { describe, expect, test } from 'vitest';
import type { SampleCompany } from '../../../worker/provider/sample/companies.ts';
import { SIZE_RANGES } from '../../../worker/provider/sample/data/catalogue.ts';
import { PROSE } from '../../../worker/provider/sample/data/prose/index.ts';
import { TRADE_FACTS } from '../../../worker/provider/sample/data/trades.ts';
import { randomFor } from '../../../worker/provider/sample/random.ts';
import { american, filled, slugOf } from '../../../worker/provider/sample/text.ts';
import { LANGUAGES, TRADES } from '../../../worker/provider/sample/vocabulary.ts';
import { perMille, prose, SAMPLE } from './sample-companies.ts';
import { countIn, scripts } from './scripts.ts';

describe('plausible', () => {
  test('values are missing about as often as in life', () => {
    const bounds: readonly [string, number, number, (company: SampleCompany) => boolean][] = [
      ['description', 80, 220, ({ clean }) => clean.description === null],
      ['founded', 180, 290, ({ clean }) => clean.founded === null],
      ['website', 25, 90, ({ clean }) => clean.websites_main_original === null],
      ['size', 25, 70, ({ clean }) => clean.size_range === null],
      ['headquarters', 20, 60, ({ clean }) => clean.location_hq_country === null],
      ['specialities', 220, 360, ({ clean }) => clean.specialities.length === 0],
      ['funding', 850, 950, ({ clean }) => clean.funding_rounds === null],
      ['phones', 500, 750, ({ clean }) => clean.phone_numbers === null],
      ['mail addresses', 350, 550, ({ clean }) => clean.emails === null],
      ['logo', 820, 920, ({ clean }) => clean.logo === null],
      ['ticker', 950, 995, ({ clean }) => clean.ticker === null],
      ['enrichment', 80, 220, ({ clean }) => !('enriched_summary' in clean)],
      ['deleted profiles', 985, 998, ({ base }) => base.deleted === 0],
    ];
    for (const [what, low, high, missing] of bounds) {
      const share = perMille(missing);
      expect(share, what).toBeGreaterThanOrEqual(low);
      expect(share, what).toBeLessThanOrEqual(high);
    }
  });

  test('most companies are small, and every size occurs', () => {
    for (const range of SIZE_RANGES)
      expect(perMille(({ clean }) => clean.size_range === range.label)).toBeGreaterThan(0);
    expect(perMille(({ clean }) => (clean.size_employees_count ?? 999) <= 50)).toBeGreaterThan(600);
  });

  test('industries and countries are many', () => {
    expect(new Set(SAMPLE.map(({ clean }) => clean.industry)).size).toBeGreaterThan(60);
    expect(new Set(SAMPLE.map(({ clean }) => clean.location_hq_country)).size).toBeGreaterThan(40);
    expect(perMille(({ clean }) => clean.location_hq_country === 'United States')).toBeLessThan(350);
  });

  test('names come in many scripts', () => {
    const names = SAMPLE.map(({ clean }) => clean.name);
    for (const script of [...scripts, 'Katakana']) {
      expect(countIn(script, names), script).toBeGreaterThan(2);
    }
  });

  test('descriptions come in many languages, a fifth or more not in English', () => {
    const marks: Readonly<Record<string, RegExp>> = {
      German: / und /,
      French: / (les|nous|est) /,
      Spanish: / (los|una|con) /,
      Portuguese: /(ção|ões| uma | nossos )/i,
      Italian: / (di|della|che) /,
      Dutch: / (een|van|onze) /,
      Polish: /[ąęłżź]/,
      Turkish: /[ığş]/,
      Ukrainian: /\p{Script=Cyrillic}/u,
      Japanese: /\p{Script=Hiragana}/u,
      Chinese: /^[^\p{Script=Hiragana}]*[的是]/u,
      Korean: /\p{Script=Hangul}/u,
      Arabic: /\p{Script=Arabic}/u,
      Hindi: /\p{Script=Devanagari}/u,
    };
    for (const [language, mark] of Object.entries(marks)) {
      expect(
        SAMPLE.filter(({ clean }) => mark.test(clean.description ?? '')).length,
        language,
      ).toBeGreaterThan(4);
    }
    const english = perMille(({ clean }) => / (the|and|of|for) /.test(clean.description ?? ''));
    expect(english).toBeGreaterThan(450);
    expect(english).toBeLessThan(700);
  });

  test('descriptions have a natural length and do not begin alike', () => {
    const texts = SAMPLE.map(({ clean }) => clean.description).filter((text) => text !== null);
    const openings = new Map<string, number>();
    for (const text of texts) {
      expect(text.length).toBeGreaterThanOrEqual(50);
      expect(text.length).toBeLessThanOrEqual(1200);
      const opening = text.split(' ').slice(0, 3).join(' ');
      openings.set(opening, (openings.get(opening) ?? 0) + 1);
    }
    expect(new Set(texts).size).toBe(texts.length);
    expect(Math.max(...openings.values()) / texts.length).toBeLessThan(0.02);
  });

  test('no sentence is heard in more than one of a hundred descriptions', () => {
    const heard = new Map<string, number>();
    for (const { clean } of SAMPLE.slice(0, 1000)) {
      for (const sentence of (clean.description ?? '').split(/(?<=[.!?。।])\s*/)) {
        if (sentence.length > 20) heard.set(sentence, (heard.get(sentence) ?? 0) + 1);
      }
    }
    expect(Math.max(...heard.values())).toBeLessThanOrEqual(10);
  });

  test('no text shows the seams of its making', () => {
    for (const company of SAMPLE) {
      for (const text of prose(company)) {
        expect(text).not.toMatch(
          /[{}[\]]|undefined|\bnull\b|\bNaN\b| {2}|\.\.| [.,]|\b[Tt]he [Tt]he\b|\ba (apartment|online|investment|e-)/,
        );
        expect(text).not.toMatch(
          /\ba (?:[AEIOÅÉÖ][\p{L}-]*-based|The |(?:8|11|18)-)|\ban [BCDFGKLPTVWZ][\p{L}-]*-based/u,
        );
      }
    }
  });
});

describe('tables and texts', () => {
  test('every trade and every language has its words', () => {
    expect([...TRADE_FACTS.keys()].sort()).toEqual([...TRADES].sort());
    expect(['en', ...PROSE.keys()].sort()).toEqual([...LANGUAGES].sort());
    for (const facts of TRADE_FACTS.values()) {
      for (const words of [facts.makes, facts.buyers, facts.special, facts.lines, facts.tails]) {
        expect(words.length, facts.trade).toBeGreaterThanOrEqual(3);
        expect(new Set(words).size, facts.trade).toBe(words.length);
      }
    }
  });

  test('a sentence with an unknown slot is not used', () => {
    const random = randomFor(1, 'test', 1);
    expect(filled('{Name} [makes|makes] {n:4-4} {things}.', { name: 'we', things: 'hats' }, random)).toBe(
      'We makes 4 hats.',
    );
    expect(filled('Since {year}.', { year: undefined }, random)).toBeNull();
    expect(filled('{W:3-3} of {w:16-16}.', {}, random)).toBe('Three of 16.');
  });

  test('slugs keep the sound of accented letters', () => {
    expect(slugOf('Schönwasser & Söhne')).toBe('schoenwasser-and-soehne');
    expect(slugOf('İstanbul Çiçekçilik A.Ş.')).toBe('istanbul-cicekcilik-as');
    expect(slugOf('Świetlik Łódź')).toBe('swietlik-lodz');
  });

  test('American spelling leaves other words alone', () => {
    expect(american('Specialists organise the Harbour centre; organisms practise.')).toBe(
      'Specialists organize the Harbor center; organisms practice.',
    );
  });
});
