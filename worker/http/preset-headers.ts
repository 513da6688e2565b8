// Headers that a response already has when it is created. Setting one costs more than copying all of them.

const presets = new WeakMap<Response, Readonly<Record<string, string>>>();

/** Records headers with which a response was created. @param preset - values by name */
export function recordPreset(response: Response, preset: Readonly<Record<string, string>>): void {
  presets.set(response, preset);
}

/** Sets a header of a response, unless it was created with this value. */
export function setHeader(response: Response, name: string, value: string): void {
  if (presets.get(response)?.[name] !== value) response.headers.set(name, value);
}
