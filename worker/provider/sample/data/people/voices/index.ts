// The voices of all languages other than English, which has its own, larger tables.
import type { Voice } from '../../../people/vocabulary.ts';
import type { Language } from '../../../vocabulary.ts';
import { ARABIC_VOICE } from './arabic.ts';
import { CHINESE_VOICE } from './chinese.ts';
import { DUTCH_VOICE } from './dutch.ts';
import { FRENCH_VOICE } from './french.ts';
import { GERMAN_VOICE } from './german.ts';
import { HINDI_VOICE } from './hindi.ts';
import { ITALIAN_VOICE } from './italian.ts';
import { JAPANESE_VOICE } from './japanese.ts';
import { KOREAN_VOICE } from './korean.ts';
import { POLISH_VOICE } from './polish.ts';
import { PORTUGUESE_VOICE } from './portuguese.ts';
import { SPANISH_VOICE } from './spanish.ts';
import { TURKISH_VOICE } from './turkish.ts';
import { UKRAINIAN_VOICE } from './ukrainian.ts';

/** Voices by language. */
export const VOICES: ReadonlyMap<Language, Voice> = new Map(
  [
    GERMAN_VOICE,
    FRENCH_VOICE,
    SPANISH_VOICE,
    PORTUGUESE_VOICE,
    ITALIAN_VOICE,
    DUTCH_VOICE,
    POLISH_VOICE,
    TURKISH_VOICE,
    UKRAINIAN_VOICE,
    JAPANESE_VOICE,
    CHINESE_VOICE,
    KOREAN_VOICE,
    ARABIC_VOICE,
    HINDI_VOICE,
  ].map((voice) => [voice.language, voice]),
);
