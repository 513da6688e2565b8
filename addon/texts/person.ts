// Reads the language of the person who uses the add-on. Formulas and triggers do not: what they write is shared.
import { english, type Language, setLanguage } from './texts.ts';

/** HTML files with the texts of languages other than English. They are files that a script can read. */
const FILES: Readonly<Record<string, string>> = { de: 'German' };

function readLanguage(): Language {
  try {
    const locale = Session.getActiveUserLocale().replace('_', '-');
    const file = FILES[locale.slice(0, 2)];
    return file === undefined
      ? english
      : { locale, texts: JSON.parse(HtmlService.createTemplateFromFile(file).getRawContent()) };
  } catch {
    // A simple trigger may run without the right to one of the services.
    return english;
  }
}

/** Uses the language of the person for all texts of this execution. */
export const setPersonsLanguage = (): void => setLanguage(readLanguage);
