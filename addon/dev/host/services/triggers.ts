// Installable triggers on the host, with the limits of add-ons.
import { type Context, Exception, type Handlers } from '../calls.ts';
import type { TriggerData } from '../types.ts';

/** What Google calls the types in its refusals. */
const EVENT_NAMES: Readonly<Record<TriggerData['event'], string>> = {
  ON_OPEN: 'open',
  ON_EDIT: 'edit',
  ON_CHANGE: 'change',
};

const isEvent = (event: unknown): event is TriggerData['event'] =>
  typeof event === 'string' && Object.keys(EVENT_NAMES).includes(event);

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
    'ScriptApp.getUserTriggers': (context, args) =>
      this.#listFor(context).filter(({ document }) => document === args.string(0)),
    'ScriptApp.deleteTrigger': (context, args) => {
      const uid = args.string(0);
      const remaining = this.#triggers.filter(
        (trigger) => trigger.uid !== uid || trigger.user !== context.user,
      );
      if (remaining.length === this.#triggers.length) throw new Exception('Trigger not found.');
      this.#triggers = remaining;
      return null;
    },
    'ScriptApp.TriggerBuilder.create': async (context, args) => {
      const document = await this.#options.documentId();
      const options = args.record(0);
      const trigger = this.#createTrigger(context, document, options);
      const exists = this.#listFor(context).some(
        (other) => other.document === document && other.event === trigger.event,
      );
      // Guide "Triggers for Editor add-ons", restrictions: one of each type per user and document.
      if (exists) {
        throw new Exception(
          `This add-on has created too many ${EVENT_NAMES[trigger.event]} triggers in this document for this Google user account.`,
        );
      }
      this.#triggers = [...this.#triggers, trigger];
      return trigger;
    },
  };

  #listFor(context: Context): TriggerData[] {
    return this.#triggers.filter(({ user }) => user === context.user);
  }

  #createTrigger(context: Context, document: string, options: Record<string, unknown>): TriggerData {
    const trigger = {
      uid: this.#options.uuid(),
      functionName: String(options.functionName),
      user: context.user,
      document,
    };
    // Guide "Triggers for Editor add-ons", restrictions: only for the document in which the add-on is used.
    if (options.document !== document) throw new Exception(`Invalid argument: ${String(options.document)}`);
    const { event } = options;
    if (!isEvent(event)) throw new Exception('Invalid argument: eventType');
    return { ...trigger, event };
  }
}
