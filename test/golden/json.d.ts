// JSON modules have the type unknown: their data is checked where it is used, not compiled as types.
declare module '*.json' {
  const value: unknown;
  export default value;
}
