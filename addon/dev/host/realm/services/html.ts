// HtmlService in the realm: pages for sidebars.
import type { Bridge } from '../bridge.ts';
import { chained, createRegistry, emulateObject, method } from '../emulated.ts';

/** Class name, for parameter lists. */
export const HTML_OUTPUT = 'HtmlService.HtmlOutput';

/** Contents of pages. */
export const pages = createRegistry<{ readonly html: string; readonly title: string }>('userInterface');

function createHtmlOutput(html: string): object {
  const self = emulateObject(HTML_OUTPUT, {
    setTitle: chained((title) => pages.set(self, { html, title: String(title) }), 'String'),
  });
  pages.set(self, { html, title: '' });
  return self;
}

/**
 * Creates HtmlService. Of templates only the raw content is emulated.
 * @param readFile - reads a file of the project
 */
export function createHtmlService(bridge: Bridge, readFile: (name: string) => string): object {
  const open = (call: string, name: unknown): string => readFile(String(bridge.call(call, name)));
  return emulateObject('HtmlService', {
    createHtmlOutputFromFile: method(
      (name) => createHtmlOutput(open('HtmlService.createHtmlOutputFromFile', name)),
      'String',
    ),
    // Reference "HtmlTemplate", getRawContent: the unprocessed file. Scriptlets are not emulated.
    createTemplateFromFile: method((name) => {
      const content = open('HtmlService.createTemplateFromFile', name);
      return emulateObject('HtmlService.HtmlTemplate', { getRawContent: method(() => content) });
    }, 'String'),
  });
}
