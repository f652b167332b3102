/** Character sets of locales that name none, as glibc has them (locale(7)). */
const LOCALE_DEFAULTS: Readonly<Record<string, string>> = {
  zh_CN: 'gbk',
  zh_SG: 'gbk',
  zh_TW: 'big5',
  zh_HK: 'big5-hkscs',
  ja_JP: 'euc-jp',
  ko_KR: 'euc-kr',
}

/**
 * The encoding that programs on this machine use when they do not use UTF-8: the character set of the locale that the
 * command is given, or the Windows code page. `utf-8` when nothing says otherwise.
 */
export function platformEncoding(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  windowsCodePage?: number,
): string {
  if (platform === 'win32') return codePageName(windowsCodePage)
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || ''
  const [name = '', charset] = locale.replace(/@.*$/, '').split('.', 2)
  return normalize(charset ?? LOCALE_DEFAULTS[name] ?? 'utf-8')
}

/** Code pages that have another common name; https://learn.microsoft.com/windows/win32/intl/code-page-identifiers */
const CODE_PAGES: Readonly<Record<number, string>> = {
  936: 'gbk',
  54936: 'gb18030',
  950: 'big5',
  932: 'shift_jis',
  949: 'euc-kr',
  65001: 'utf-8',
}

function codePageName(codePage: number | undefined): string {
  if (codePage === undefined) return 'utf-8'
  return CODE_PAGES[codePage] ?? `cp${codePage}`
}

function normalize(charset: string): string {
  const name = charset.toLowerCase()
  return name === 'utf8' ? 'utf-8' : name === 'gb2312' ? 'gbk' : name
}
