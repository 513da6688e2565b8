// Makes the rules by which the add-on's script checks what the sidebar's page sends, of the schemas in shared/api.
import * as z from 'zod';
import { sidebarPayloads } from '../../../shared/api/sidebar.ts';
import type { Rule } from '../../../shared/payload-rules.ts';

type Schema = z.core.JSONSchema.BaseSchema;

/** Collects rules, each once. */
class RuleTable {
  readonly rules: Rule[] = [];
  readonly #places = new Map<string, number>();

  #placeOf(rule: Rule): number {
    const text = JSON.stringify(rule);
    const known = this.#places.get(text);
    if (known !== undefined) return known;
    this.#places.set(text, this.rules.length);
    return this.rules.push(rule) - 1;
  }

  #objectRule({ properties = {}, required = [], additionalProperties }: Schema): Rule {
    const members = Object.entries(properties).map(([name, own]) => [
      required.includes(name) ? name : `${name}?`,
      this.ruleOf(own),
    ]);
    const exact = additionalProperties === false ? { exact: true as const } : {};
    return { members: Object.fromEntries(members), ...exact };
  }

  /**
   * Makes the rule of a schema. Lengths, formats and patterns are left out: they are for the gateway to judge.
   * @throws Error where no rule says what the schema does
   */
  ruleOf(schema: Schema | boolean): Rule {
    if (typeof schema === 'boolean') throw new Error('A schema that allows all or nothing has no rule.');
    const { type, minimum, maximum } = schema;
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) return this.#placeOf({ either: choices.map((one) => this.ruleOf(one)) });
    if (schema.enum !== undefined) return this.#placeOf({ oneOf: schema.enum });
    if (schema.const !== undefined) return this.#placeOf({ oneOf: [schema.const] });
    if (type === 'object') return this.#placeOf(this.#objectRule(schema));
    if (type === 'array' && schema.items !== undefined && !Array.isArray(schema.items)) {
      return this.#placeOf({ list: this.ruleOf(schema.items) });
    }
    if (type === 'integer' && minimum !== undefined) {
      return maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? [minimum] : [minimum, maximum];
    }
    if (type === 'string' || type === 'boolean' || type === 'null') return type;
    if (Object.keys(schema).every((keyword) => keyword === 'description')) return 'any';
    throw new Error(`No rule says what this schema does: ${JSON.stringify(schema)}`);
  }
}

/** The rule of each method's payload, and the rules that these refer to. */
export function payloadRules(): { methods: Record<string, Rule>; rules: Rule[] } {
  const table = new RuleTable();
  const methods = Object.entries<z.ZodType>(sidebarPayloads).map(([method, schema]): [string, Rule] => [
    method,
    table.ruleOf(z.toJSONSchema(schema, { io: 'input' })),
  ]);
  return { methods: Object.fromEntries(methods), rules: table.rules };
}
