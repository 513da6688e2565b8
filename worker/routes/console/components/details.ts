// Structured details in a line of text.

const toWords = (name: string): string =>
  name
    .replaceAll('_', ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();

function listMembers(value: unknown, path: readonly string[]): string[] {
  if (value !== null && typeof value === 'object' && !Array.isArray(value))
    return Object.entries(value).flatMap(([name, member]) => listMembers(member, [...path, toWords(name)]));
  const text = value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value);
  return [`${path.join(' ')}: ${text}`];
}

/** Describes an object: each value after its path, null as a dash. */
export const describeDetails = (details: object): string => listMembers(details, []).join(' · ');
