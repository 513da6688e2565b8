// JSON files are read as unknown, so that their data is checked where it is used and not compiled as a type.
declare module '*.json' {
  const value: unknown;
  export default value;
}
