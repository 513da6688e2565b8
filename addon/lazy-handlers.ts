// Menu handlers, installable triggers, the sidebar's server and slow formulas. Each loads the second script on demand and calls it.
import type * as laterScript from './lazy-script.ts';

type Later = typeof laterScript;

let loaded: Later | undefined;

/** Loads the second script. HTML files are the only project files that a script can read. */
function load(): Later {
  const script = HtmlService.createTemplateFromFile('Later').getRawContent();
  // The script is of the same build and the same project: nothing from outside is run. It keeps its variables to itself.
  // biome-ignore lint/security/noGlobalEval: there is no other way to load a script on demand
  const evaluate = globalThis.eval;
  return evaluate(script);
}

/** Returns the second script, evaluated once per execution. */
function later(): Later {
  loaded ??= load();
  return loaded;
}

export const CDAPI_COST: Later['CDAPI_COST'] = (...args) => later().CDAPI_COST(...args);
export const CDAPI_FIELDS: Later['CDAPI_FIELDS'] = (...args) => later().CDAPI_FIELDS(...args);
export const CDAPI_JOBS: Later['CDAPI_JOBS'] = (...args) => later().CDAPI_JOBS(...args);
export const CDAPI_JOBS_COUNT: Later['CDAPI_JOBS_COUNT'] = (...args) => later().CDAPI_JOBS_COUNT(...args);
export const CDAPI_MATCH: Later['CDAPI_MATCH'] = (...args) => later().CDAPI_MATCH(...args);
export const CDAPI_PEOPLE: Later['CDAPI_PEOPLE'] = (...args) => later().CDAPI_PEOPLE(...args);
export const CDAPI_PEOPLE_COUNT: Later['CDAPI_PEOPLE_COUNT'] = (...args) =>
  later().CDAPI_PEOPLE_COUNT(...args);
export const CDAPI_PREVIEW: Later['CDAPI_PREVIEW'] = (...args) => later().CDAPI_PREVIEW(...args);

// Installable triggers.
export const cdapiOnOpen = (): void => later().cdapiOnOpen();
export const cdapiOnEdit: Later['cdapiOnEdit'] = (event) => later().cdapiOnEdit(event);

/**
 * Handles a call of the sidebar.
 * @param request - JSON of a `MethodCall`
 * @returns JSON of a `Reply`
 */
export const cdapiSidebar = (request: string): string => later().cdapiSidebar(request);

// Menu items.
export const completeOnOpening = (): void => later().completeOnOpening();
export const connect = (): void => later().connect();
export const disconnect = (): void => later().disconnect();
export const freezeSelection = (): void => later().freezeSelection();
export const freezeSheet = (): void => later().freezeSheet();
export const help = (): void => later().help();
export const openSidebar = (): void => later().openSidebar();
export const refreshSelection = (): void => later().refreshSelection();
export const useFormulas = (): void => later().useFormulas();
