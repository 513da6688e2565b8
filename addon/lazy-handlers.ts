// Menu items, the installable trigger and the sidebar's server: each reads the script that holds them, and calls it there.
import type * as laterScript from './lazy-script.ts';

type Later = typeof laterScript;

let loaded: Later | undefined;

/** An HTML file is the only kind of file that a script can read of its own project. */
function load(): Later {
  const script = HtmlService.createTemplateFromFile('Later').getRawContent();
  // The script is of the same build and the same project: nothing from outside is run. It keeps its variables to itself.
  // biome-ignore lint/security/noGlobalEval: there is no other way to load a script on demand
  const evaluate = globalThis.eval;
  return evaluate(script);
}

/** The script, which is evaluated once in an execution. */
function later(): Later {
  loaded ??= load();
  return loaded;
}

/** Installable trigger: completes what was still being fetched, and writes rows that came. */
export const cdapiOnOpen = (): void => later().cdapiOnOpen();

/**
 * Answers a call of the sidebar's page.
 * @param request - JSON of a `Call`
 * @returns JSON of a `Reply`
 */
export const cdapiSidebar = (request: string): string => later().cdapiSidebar(request);

/** Menu item: switches the installable trigger on or off. */
export const completeOnOpening = (): void => later().completeOnOpening();

/** Menu item: asks for a connection link. */
export const connect = (): void => later().connect();

/** Menu item: forgets the connection. */
export const disconnect = (): void => later().disconnect();

/** Menu item: turns the formulas of the selection into values. */
export const freezeSelection = (): void => later().freezeSelection();

/** Menu item: turns the formulas of the sheet into values. */
export const freezeSheet = (): void => later().freezeSheet();

/** Menu item: says what there is. */
export const help = (): void => later().help();

/** Menu item: shows the sidebar. */
export const openSidebar = (): void => later().openSidebar();

/** Menu item: runs the formulas of the selection again. */
export const refreshSelection = (): void => later().refreshSelection();
