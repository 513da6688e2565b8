// Generates the rules that validate sidebar payloads in the add-on's script from the schemas in shared/api.
import * as z from 'zod';
import { sidebarPayloads } from '../../../shared/api/sidebar.ts';
import type { Rule } from '../../../shared/payload-rules.ts';

type Schema = z.core.JSONSchema.BaseSchema;

/** Collects rules without duplicates. */
class RuleTable {
  readonly rules: Rule[] = [];
  readonly #indexByRule = new Map<string, number>();

  #addRule(rule: Rule): number {
    const text = JSON.stringify(rule);
    const known = this.#indexByRule.get(text);
    if (known !== undefined) return known;
    this.#indexByRule.set(text, this.rules.length);
    return this.rules.push(rule) - 1;
  }

  #toObjectRule({ properties = {}, required = [], additionalProperties }: Schema): Rule {
    const members = Object.entries(properties).map(([name, property]) => [
      required.includes(name) ? name : `${name}?`,
      this.toRule(property),
    ]);
    const exact = additionalProperties === false ? { exact: true as const } : {};
    return { members: Object.fromEntries(members), ...exact };
  }

  /**
   * Converts a schema to a rule. Omits lengths, formats and patterns: the gateway checks them.
   * @throws Error if the schema uses an unsupported keyword
   */
  toRule(schema: Schema | boolean): Rule {
    if (typeof schema === 'boolean') throw new Error('A boolean schema has no rule.');
    const { type, minimum, maximum } = schema;
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) return this.#addRule({ either: choices.map((choice) => this.toRule(choice)) });
    if (schema.enum !== undefined) return this.#addRule({ oneOf: schema.enum });
    if (schema.const !== undefined) return this.#addRule({ oneOf: [schema.const] });
    if (type === 'object') return this.#addRule(this.#toObjectRule(schema));
    if (type === 'array' && schema.items !== undefined && !Array.isArray(schema.items)) {
      return this.#addRule({ list: this.toRule(schema.items) });
    }
    if (type === 'integer' && minimum !== undefined) {
      return maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? [minimum] : [minimum, maximum];
    }
    if (type === 'string' || type === 'boolean' || type === 'null') return type;
    if (Object.keys(schema).every((keyword) => keyword === 'description')) return 'any';
    throw new Error(`No rule expresses this schema: ${JSON.stringify(schema)}`);
  }
}

/** Builds the rule of each method's payload, and the shared rules that they reference. */
export function buildPayloadRules(): { methods: Record<string, Rule>; rules: Rule[] } {
  const table = new RuleTable();
  const methods = Object.entries<z.ZodType>(sidebarPayloads).map(([method, schema]): [string, Rule] => [
    method,
    table.toRule(z.toJSONSchema(schema, { io: 'input' })),
  ]);
  return { methods: Object.fromEntries(methods), rules: table.rules };
}
