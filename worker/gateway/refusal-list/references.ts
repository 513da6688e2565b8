// References: short names of the people and companies in a copy, by which an erasure finds it.
import type { SubjectKey } from './named-subjects.ts';

/** 48 bits, so that collisions are unlikely among millions of copies. A copy that is found wrongly stays unchanged. */
const TRACE_LENGTH = 12;

/** Returns the reference of a pseudonym. */
export const toReference = (pseudonym: string): string => pseudonym.slice(0, TRACE_LENGTH);

/** Returns the reference of an item in a page of ids. A page may have a thousand, so they have no pseudonyms. */
export const toIdReference = ({ subject, value }: SubjectKey): string => `#${subject}:${value}`;
