// Menu handlers, the installable trigger and the sidebar's server. Each loads the second script on demand and calls it.
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

/** Installable trigger: refetches pending rows and writes finished deliveries. */
export const cdapiOnOpen = (): void => later().cdapiOnOpen();

/**
 * Handles a call of the sidebar.
 * @param request - JSON of a `MethodCall`
 * @returns JSON of a `Reply`
 */
export const cdapiSidebar = (request: string): string => later().cdapiSidebar(request);

/** Menu item: switches the open trigger on or off. */
export const completeOnOpening = (): void => later().completeOnOpening();

/** Menu item: asks for a connection link. */
export const connect = (): void => later().connect();

/** Menu item: deletes the connection. */
export const disconnect = (): void => later().disconnect();

/** Menu item: replaces formulas in the selection by their values. */
export const freezeSelection = (): void => later().freezeSelection();

/** Menu item: replaces formulas in the sheet by their values. */
export const freezeSheet = (): void => later().freezeSheet();

/** Menu item: shows the help. */
export const help = (): void => later().help();

/** Menu item: shows the sidebar. */
export const openSidebar = (): void => later().openSidebar();

/** Menu item: runs the selected formulas again. */
export const refreshSelection = (): void => later().refreshSelection();
