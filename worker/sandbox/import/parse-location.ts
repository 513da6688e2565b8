// Parses locations as people write them: "City, State, Country", in part or in full.
import countries from 'i18n-iso-countries';

/** A location; missing parts are null. */
export interface Location {
  /** The original text. */
  address: string;
  city: string | null;
  state: string | null;
  country: string | null;
  countryIso2: string | null;
  countryIso3: string | null;
}

const NOT_A_PLACE = /^(?:remote|unspecified|worldwide)?$/i;
const STATE_CODE = /^[A-Z]{2}$/;

function findIso2Code(country: string): string | undefined {
  const code = country.toUpperCase();
  if (code === 'UK') return 'GB';
  return countries.alpha3ToAlpha2(code) ?? countries.getSimpleAlpha2Code(country, 'en');
}

/**
 * Parses one location.
 * @returns undefined if the text names none
 */
export function parseLocation(text: string): Location | undefined {
  const address = text.trim();
  if (NOT_A_PLACE.test(address)) return undefined;
  const parts = address.split(',').map((part) => part.trim());
  const last = parts[parts.length - 1] ?? '';
  const iso2 = parts.length > 1 ? findIso2Code(last) : undefined;
  const cityAndState = iso2 === undefined && parts.length < 3 ? parts : parts.slice(0, -1);
  const [first = null, second = null] = cityAndState;
  const isStateOnly = cityAndState.length === 1 && first !== null && STATE_CODE.test(first);
  return {
    address,
    city: isStateOnly ? null : first,
    state: isStateOnly ? first : second,
    country: iso2 === undefined ? (parts.length >= 3 ? last : null) : (countries.getName(iso2, 'en') ?? last),
    countryIso2: iso2 ?? null,
    countryIso3: iso2 === undefined ? null : (countries.alpha2ToAlpha3(iso2) ?? null),
  };
}

/** Parses a list of locations, separated by semicolons; the first is the headquarters. */
export function parseLocations(text: string): Location[] {
  return text.split(';').flatMap((part) => parseLocation(part) ?? []);
}
