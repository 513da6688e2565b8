// How the fields of an index are analysed and stored. The words are shared with the data that describes the families.
export type {
  MappedField,
  Mapping,
  NumberType,
  Properties,
  Property,
} from '../../../shared/index-fields/mapping.ts';
