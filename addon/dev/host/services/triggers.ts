// Installable triggers on the host, with the limits of add-ons.
import { type Context, Exception, type Handlers } from '../calls.ts';
import type { TriggerData } from '../types.ts';

export interface TriggersOptions {
  readonly triggers: readonly TriggerData[];
  readonly uuid: () => string;
  /** The id of the open spreadsheet. */
  readonly documentId: () => Promise<string>;
}

export class Triggers {
  readonly #options: TriggersOptions;
  #triggers: readonly TriggerData[];

  constructor(options: TriggersOptions) {
    this.#options = options;
    this.#triggers = options.triggers;
  }

  get all(): readonly TriggerData[] {
    return this.#triggers;
  }

  /** Handlers of ScriptApp: users see and delete only their own triggers. */
  readonly handlers: Handlers = {
    'ScriptApp.newTrigger': () => null,
    'ScriptApp.getProjectTriggers': (context) => this.#own(context),
    'ScriptApp.getUserTriggers': (context, args) =>
      this.#own(context).filter(({ document }) => document === args.text(0)),
    'ScriptApp.deleteTrigger': (context, args) => {
      const uid = args.text(0);
      const kept = this.#triggers.filter((each) => each.uid !== uid || each.user !== context.user);
      if (kept.length === this.#triggers.length) throw new Exception('Trigger not found.');
      this.#triggers = kept;
      return null;
    },
    'ScriptApp.TriggerBuilder.create': async (context, args) => {
      const document = await this.#options.documentId();
      const given = args.record(0);
      const trigger = this.#made(context, document, given);
      const same = this.#own(context).some((each) => each.document === document);
      // Guide "Triggers for Editor add-ons", restrictions: one of each type per user and document.
      if (same) {
        throw new Exception(
          `This add-on has created too many open triggers in this document for this Google user account.`,
        );
      }
      this.#triggers = [...this.#triggers, trigger];
      return trigger;
    },
  };

  #own(context: Context): TriggerData[] {
    return this.#triggers.filter(({ user }) => user === context.user);
  }

  #made(context: Context, document: string, given: Record<string, unknown>): TriggerData {
    const common = {
      uid: this.#options.uuid(),
      functionName: String(given.functionName),
      user: context.user,
      document,
    };
    // Guide "Triggers for Editor add-ons", restrictions: only for the document in which the add-on is used.
    if (given.document !== document) throw new Exception(`Invalid argument: ${String(given.document)}`);
    if (given.event !== 'ON_OPEN') throw new Exception('Invalid argument: eventType');
    return { ...common, event: 'ON_OPEN' };
  }
}
