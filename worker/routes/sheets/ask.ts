// /sheets/v1/ask: a sentence becomes a search form.
import { sheetsEndpoints as endpoints } from '../../../shared/api/sheets-endpoints.ts';
import { fillForm, selectForms } from '../../assistant/fill-form.ts';
import { requireAssistantSettings } from '../../assistant/settings.ts';
import { getFamilies, requireScope } from '../../gateway/auth/tokens.ts';
import { isLocalProvider } from '../../gateway/upstream/configured-upstream.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { countForTeam, smallRoute } from './route.ts';

/** Questions of a team in a minute, because each may cost the company money. */
const ASKS_PER_MINUTE = 10;

export const askRoute = smallRoute(endpoints.ask, {
  summary: 'Turn a sentence into a search form; costs no credits',
  description:
    'A language model that the admin has configured sees the sentence, the fields of the forms and their known values: no records, and nothing else of the team. Its answer is validated like input of a person. Nothing is searched or bought.',
  returns: 'The form, and what was left out of it',
  handle: async ({ body: { sentence, family } }, context) => {
    const { env, caller, now, getProvider, addToLog } = context;
    addToLog({ operation: 'ask' });
    if (family !== undefined) requireScope(caller, family, 'search');
    const forms = selectForms(getFamilies(caller, 'search'), family);
    if (forms.length === 0)
      throw new ProblemError('forbidden_scope', 'This token has no scope for the operation search.');
    const settings = requireAssistantSettings(env, isLocalProvider(await getProvider()));
    await countForTeam(context, 'assistant', ASKS_PER_MINUTE, 'questions');
    return fillForm(settings, sentence, forms, now);
  },
});
