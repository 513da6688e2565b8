// Finds profile URLs of people and companies in texts. Texts may be long, so every quantifier is bounded.
import { type Subject, subjectNames, subjects } from '../../../shared/families/index.ts';
import { parseShorthandName } from '../../../shared/keys/profile.ts';

export interface ProfileUrl {
  subject: Subject;
  shorthandName: string;
  start: number;
  end: number;
}

const subjectsBySegment = new Map<string, Subject>(
  subjectNames.flatMap((subject) =>
    subjects[subject].profileSegments.map((segment): [string, Subject] => [segment, subject]),
  ),
);
const SEGMENTS = [...subjectsBySegment.keys()].join('|');
/** The path of a profile URL up to the shorthand name. */
const PROFILE_PATH = new RegExp(`/(${SEGMENTS})/([^\\s/?#"'<>()]{1,600})`, 'gi');
/** What must come before the path: the end of a host, and perhaps a language. */
const HOST_END = /\.[^\s/?#@.]{2,63}(?::\d{1,5})?(?:\/[a-z]{2})?$/i;
const MAX_HOST_END = 80;
const BOUNDARY = /[\s"'<>()]/;
const PUNCTUATION = '.,;:!?…]}';
/** Length of a URL before and after its shorthand name. */
const MAX_SIDE = 2_000;

function trimPunctuation(text: string): string {
  let end = text.length;
  while (end > 0 && PUNCTUATION.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Returns the first position at which a URL can't go on. */
function findBoundary(text: string, from: number, step: 1 | -1): number {
  let at = from;
  for (let length = 0; length < MAX_SIDE && at >= 0 && at < text.length; length += 1) {
    if (BOUNDARY.test(text.charAt(at))) break;
    at += step;
  }
  return at;
}

/** Finds the profile URLs in a text, on any host: the service does not name the network. */
export function findProfileUrls(text: string): ProfileUrl[] {
  // Most texts have no path.
  if (!text.includes('/')) return [];
  return [...text.matchAll(PROFILE_PATH)].flatMap(({ index, 1: segment = '', 2: rawName = '' }) => {
    const subject = subjectsBySegment.get(segment.toLowerCase());
    const name = trimPunctuation(rawName);
    const key = parseShorthandName(name);
    if (subject === undefined || !key.ok) return [];
    if (!HOST_END.test(text.slice(Math.max(0, index - MAX_HOST_END), index))) return [];
    const nameEnd = index + segment.length + 2 + name.length;
    const hasMore = '/?#'.includes(text.charAt(nameEnd)) && nameEnd < text.length;
    return [
      {
        subject,
        shorthandName: key.value,
        start: findBoundary(text, index, -1) + 1,
        end: hasMore ? findBoundary(text, nameEnd, 1) : nameEnd,
      },
    ];
  });
}
