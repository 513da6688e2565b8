// Fills the fields of a record that follow from no fact: values by the name and type of the field in the index.
import type { Properties, Property } from '../../../shared/index-fields/mapping.ts';
import { isObject } from '../../../shared/lib/is-object.ts';
import { type Company, NETWORK, writeSentence } from './company.ts';
import { Random, toBit } from './random.ts';
import { formatDay, formatTime, words } from './words.ts';

/** The subject of a record. A field gets the same value in both variants of its record. */
export interface Subject {
  seed: number;
  kind: 'company' | 'employee' | 'job' | 'post';
  index: number;
  /** Gives texts their subject. */
  company: Company;
  /** Words for titles. */
  topics: readonly string[];
  /** Dates are between these instants, in seconds since 1970. */
  created: number;
  updated: number;
}

/** Values of fields, by name or by list and name. */
const values: Readonly<Record<string, readonly string[]>> = words.values;

/** Percentages of values that are missing, and of lists that have items. */
const NULL_SHARE = 15;
const LIST_SHARE = 35;

const getRandom = ({ seed, kind, index }: Subject, path: string): Random =>
  new Random(seed, `${kind}.${path}`, index);

function formatDate(format = '', s: number): string {
  if (format.startsWith('yyyy-MM-dd HH')) return formatTime(s);
  return formatDay(s).slice(0, format.endsWith('yyyy') ? 'yyyy-MM'.length : undefined);
}

/** Social networks and their addresses: `social_x_urls`, `websites_twitter`. */
const NETWORK_FIELD = /^(?:social|websites)_(\w+?)(_urls)?$/;

function writeText(subject: Subject, random: Random, name: string, isLong: boolean): unknown {
  const { company, topics } = subject;
  const [, network, isList] = NETWORK_FIELD.exec(name) ?? [];
  if (network !== undefined) {
    const url = `https://${network.replaceAll('_', '-')}.example/${company.slug}`;
    return random.orNull(60, isList === undefined ? url : [url]);
  }
  if (/url|logo|picture|photo/.test(name)) return `${NETWORK}/${name.split('_')[0]}/${random.hex(12)}`;
  if (/hash|_id$|number$/.test(name)) return random.hex(32);
  if (!isLong) return random.pick(topics);
  const sentence = subject.kind === 'company' ? 'about' : 'duties';
  return writeSentence(random, company, 'en', sentence, { skill: random.pick(topics) });
}

function createValue(subject: Subject, property: Property, path: string): unknown {
  const random = getRandom(subject, path);
  const [name = '', at, list] = path.split('.').reverse();
  if (name === 'order_in_profile') return Number(at) + 1;
  const known = values[`${list}.${name}`] ?? values[name];
  if (known !== undefined) return random.orNull(NULL_SHARE, random.pick(known));
  switch (property.type) {
    case 'nested':
      return random.chance(LIST_SHARE) ? Array.from({ length: random.int(1, 3) }, () => ({})) : [];
    case 'object':
      return {};
    case 'boolean':
      return random.chance(25);
    case 'byte':
      return toBit(random.chance(3));
    case 'text':
    case 'keyword':
      return random.orNull(
        NULL_SHARE,
        writeText(subject, random, name, property.type === 'text' && property.fields === undefined),
      );
    default:
      return name === 'id'
        ? random.int(1_000_000, 999_999_999)
        : random.orNull(NULL_SHARE, random.skewed(0, 900, 4));
  }
}

/**
 * Fills a record or a nested object, and the objects in it.
 * @param facts - fields with given values; undefined ones stay absent
 * @param path - of the object and a dot
 */
export function fillFields<Facts extends object>(
  subject: Subject,
  properties: Properties,
  facts: Facts,
  path = '',
): Facts & Record<string, unknown> {
  const known = new Map<string, unknown>(Object.entries(facts));
  const random = getRandom(subject, `${path}dates`);
  let date = random.int(subject.created, subject.updated);
  const filled = Object.entries(properties).map(([name, property]) => {
    const inner = path + name;
    if (!known.has(name) && property.type === 'date') {
      const value = formatDate(property.format, date);
      // The next date of an object is later.
      date = random.int(date, subject.updated);
      return [name, value];
    }
    const value = known.has(name) ? known.get(name) : createValue(subject, property, inner);
    if (property.type !== 'nested' && property.type !== 'object') return [name, value];
    const fillItem = (item: unknown, at: number) =>
      isObject(item) ? fillFields(subject, property.properties, item, `${inner}.${at}.`) : item;
    return [name, Array.isArray(value) ? value.map(fillItem) : fillItem(value, 0)];
  });
  return { ...facts, ...Object.fromEntries(filled) };
}
