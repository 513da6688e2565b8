// Dispatches the calls of one module to several variants.
import type { Task, VariantModule } from './bench.ts';

/** Creates a module that selects the variant by its name. @throws Error for an unknown name */
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
