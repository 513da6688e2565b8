// Files that a test reads as text.
declare module '*?raw' {
  const text: string;
  export default text;
}
