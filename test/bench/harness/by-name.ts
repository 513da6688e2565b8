// One module for several variants of a plan.
import type { Task, VariantModule } from './bench.ts';

/** Makes a module of variants by their names. @throws Error for a name that is none */
export function dispatchByName(variants: Readonly<Record<string, VariantModule>>): VariantModule {
  const findVariant = ({ name }: Task): VariantModule => {
    const variant = variants[name];
    if (variant === undefined) throw new Error(`there is no variant ${name}`);
    return variant;
  };
  return {
    missing: async (task) => findVariant(task).missing?.(task),
    prepare: async (task) => findVariant(task).prepare?.(task),
    measure: (task) => findVariant(task).measure(task),
  };
}
