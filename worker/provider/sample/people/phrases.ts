// Draws sentences from tables, none twice, fills them, and writes English as the country does.
import type { CompanyFacts } from '../facts.ts';
import type { Random } from '../random.ts';
import { allowed, american, capital, filled, type Slots, type Standing } from '../text.ts';

/** Words that keep their capital inside a sentence. */
const PROPER =
  /^(?:[A-Z0-9&/.+#-]{2,}|[A-Z]|\w*[a-z][A-Z]\w*|Python|Java|Go|Linux|Git|Docker|Kubernetes|React|Node\.js|Rust|Kotlin|Excel|Microsoft|Google|Windows|Azure|Salesforce|Tableau|Power|Jira|Figma|Adobe|Revit|Rhino|Ansys|Scrum|Zendesk|Incoterms|English|Lean|Six|Sigma|Unity|Unreal|Blender|Leapfrog|Solvency|Eurocodes|Toast|Shopify|Magento|Stripe|Klaviyo|Grafana|Terraform|Moodle|Altium|Snowflake|Apache|Airflow|Kafka|Oracle|Bloomberg|Creative|Cloud|Opera|Active|Directory|MS)$/;

/**
 * Writes a skill or subject as part of a sentence.
 *
 * @param term such as `Machine Learning` or `REST APIs`
 * @returns such as `machine learning` or `REST APIs`
 */
export function lowered(term: string): string {
  return term
    .split(' ')
    .map((word) => (PROPER.test(word) ? word : word.toLowerCase()))
    .join(' ');
}

/**
 * The form for a man or a woman.
 *
 * @param text one text for both, or two parted by `||`
 * @param woman which is wanted
 * @returns the text
 */
export function forGender(text: string, woman: boolean): string {
  const cut = text.indexOf('||');
  if (cut < 0) return text;
  return woman ? text.slice(cut + 2) : text.slice(0, cut);
}

/**
 * The entries of a table that are usual somewhere.
 *
 * @param table entries `text`, or `text@key,key` where they are usual in some places only
 * @param keys what the place is called
 * @returns the texts
 */
export function usualIn(table: readonly string[], keys: readonly string[]): string[] {
  const found: string[] = [];
  for (const entry of table) {
    const [text = '', places] = entry.split('@');
    if (places === undefined || places.split(',').some((place) => keys.includes(place))) found.push(text);
  }
  return found;
}

/** Anybody: for sentences that depend on no company. */
const ANYBODY: Standing = { staff: 1_000_000, year: 1970 };

/** Draws sentences for one text. */
export class Phrases {
  readonly #random: Random;
  readonly #slots: Slots;
  readonly #woman: boolean;
  readonly #american: boolean;
  readonly #used = new Set<string>();

  /** @param options the slots of all sentences, whose words they are, and whether they are American */
  constructor(options: { random: Random; slots: Slots; woman?: boolean; american?: boolean }) {
    this.#random = options.random;
    this.#slots = options.slots;
    this.#woman = options.woman ?? false;
    this.#american = options.american ?? false;
  }

  /** Fills one sentence; null when a slot has no value or when it is not true of the company. */
  fill(sentence: string, standing: Standing = ANYBODY): string | null {
    const fit = allowed(sentence, standing);
    if (fit === null) return null;
    const own = forGender(fit, this.#woman);
    const text = filled(this.#american ? american(own) : own, this.#slots, this.#random);
    return text === null ? null : capital(text);
  }

  /** One sentence of a table that was not used before; null when none fits. */
  one(table: readonly string[], standing?: Standing): string | null {
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const sentence = this.#random.pick(table);
      if (this.#used.has(sentence)) continue;
      const text = this.fill(sentence, standing);
      if (text === null) continue;
      this.#used.add(sentence);
      return text;
    }
    return null;
  }

  /** Up to `count` sentences of a table. */
  some(table: readonly string[], count: number, standing?: Standing): string[] {
    const found: string[] = [];
    for (let attempt = 0; attempt < count; attempt += 1) {
      const text = this.one(table, standing);
      if (text !== null) found.push(text);
    }
    return found;
  }
}

/**
 * Whether a company writes American English.
 *
 * @param facts the company
 * @returns true for companies of the United States
 */
export function isAmerican(facts: CompanyFacts): boolean {
  return facts.offices[0].country.iso2 === 'US';
}
