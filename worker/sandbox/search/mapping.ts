// Re-exports the mapping types, which the families share.
export type {
  MappedField,
  Mapping,
  NumberType,
  Properties,
  Property,
} from '../../../shared/index-fields/mapping.ts';
