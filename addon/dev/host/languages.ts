// Google's refusals in the language of the user's account: addresses of scopes, names of methods and quotas stay as they are.
// Japanese: https://github.com/ttsukagoshi/mail-merge-for-gmail/issues/129. The other texts are unverified.
import type { Settings } from './settings.ts';

type Translation = Readonly<Record<Exclude<Settings['language'], 'en'>, string>>;

const TRANSLATIONS: readonly (readonly [english: RegExp, translation: Translation])[] = [
  [
    /^You do not have permission to call (.+?)\. Required permissions: (.+)$/,
    {
      de: 'Sie sind nicht berechtigt, $1 aufzurufen. Erforderliche Berechtigungen: $2',
      es: 'No tienes permiso para llamar a $1. Permisos necesarios: $2',
      ja: '$1 を呼び出す権限がありません。必要な権限: $2',
    },
  ],
  [
    /^You do not have permission to call (.+?)\.?$/,
    {
      de: 'Sie sind nicht berechtigt, $1 aufzurufen.',
      es: 'No tienes permiso para llamar a $1.',
      ja: '$1 を呼び出す権限がありません。',
    },
  ],
  [
    /^Specified permissions are not sufficient to call (.+?)\. Required permissions: (.+)$/,
    {
      de: 'Die angegebenen Berechtigungen reichen nicht aus, um $1 aufzurufen. Erforderliche Berechtigungen: $2',
      es: 'Los permisos especificados no son suficientes para llamar a $1. Permisos necesarios: $2',
      ja: '指定された権限では $1 を呼び出すことができません。必要な権限: $2',
    },
  ],
  [
    /^Service invoked too many times for one day: (\w+)\.$/,
    {
      de: 'Dienst an einem Tag zu oft aufgerufen: $1.',
      es: 'Servicio invocado demasiadas veces en un día: $1.',
      ja: '1 日にサービス $1 を実行した回数が多すぎます。',
    },
  ],
  [
    /^Service invoked too many times in a short time: (.+)\. Try (.+) between calls\.$/,
    {
      de: 'Dienst in kurzer Zeit zu oft aufgerufen: $1. Versuchen Sie $2 zwischen den Aufrufen.',
      es: 'Servicio invocado demasiadas veces en poco tiempo: $1. Prueba $2 entre las llamadas.',
      ja: '短時間にサービスを実行した回数が多すぎます: $1。呼び出しの間に $2 を試してください。',
    },
  ],
  [
    /^.*Error code PERMISSION_DENIED\.$/,
    {
      de: 'Beim Lesen des Speichers ist ein Serverfehler aufgetreten. Fehlercode: PERMISSION_DENIED.',
      es: 'Error del servidor al leer el almacenamiento. Código de error: PERMISSION_DENIED.',
      ja: 'ストレージからの読み取り中にサーバー エラーが発生しました。エラーコード: PERMISSION_DENIED。',
    },
  ],
  [
    /^Address unavailable: (.+)$/,
    { de: 'Adresse nicht verfügbar: $1', es: 'Dirección no disponible: $1', ja: '使用できないアドレス: $1' },
  ],
];

/** Texts that name nothing which stays the same. */
const OTHER: Translation = {
  de: 'Es ist ein Fehler aufgetreten.',
  es: 'Se ha producido un error.',
  ja: 'エラーが発生しました。',
};

export function translate(message: string, language: Settings['language']): string {
  // This is the host's own message, for its developers.
  if (language === 'en' || message.startsWith('not emulated')) return message;
  const [english, translation] = TRANSLATIONS.find(([pattern]) => pattern.test(message)) ?? [/^.*$/s, OTHER];
  return message.replace(english, translation[language]);
}
