// One module for several variants of a plan.
import type { Task, VariantModule } from './bench.ts';

/** Makes a module of variants by their names. @throws Error for a name that is none */
export function byName(variants: Readonly<Record<string, VariantModule>>): VariantModule {
  const find = ({ name }: Task): VariantModule => {
    const variant = variants[name];
    if (variant === undefined) throw new Error(`there is no variant ${name}`);
    return variant;
  };
  return {
    missing: async (task) => find(task).missing?.(task),
    prepare: async (task) => find(task).prepare?.(task),
    measure: (task) => find(task).measure(task),
  };
}
