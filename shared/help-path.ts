// Addresses of the troubleshooting page. They are apart from its texts, which the add-on's bundle does not carry.
import type { CellError } from './problems.ts';

/** Path of the page that every gateway serves. Anchors are ids of entries, codes of problems and aliases. */
export const HELP_PATH = '/help';

/** Returns the id of the entry about an error word of cells: `not-found` for `#NOT_FOUND`. */
export const getHelpAnchor = (error: CellError): string => error.slice(1).toLowerCase().replace(/_/g, '-');
