// Hosts with pages of many owners, such as social networks. Their host alone would identify the wrong company.

/** Hosts of the network that profile URLs are of, and of the sandbox's network. The list includes their subdomains. */
const profileHosts: readonly string[] = [
  'linkedin.com',
  'linkedin.cn',
  'network.example',
  'professional-network.example',
];

/** Shared hosts. The list includes their subdomains. */
export const sharedHosts: readonly string[] = [
  ...profileHosts,
  'about.me',
  'amazon.com',
  'angel.co',
  'apps.apple.com',
  'bandcamp.com',
  'behance.net',
  'bit.ly',
  'calendly.com',
  'carrd.co',
  'chrome.google.com',
  'crunchbase.com',
  'discord.com',
  'discord.gg',
  'docs.google.com',
  'dribbble.com',
  'drive.google.com',
  'ebay.com',
  'etsy.com',
  'eventbrite.com',
  'facebook.com',
  'fb.com',
  'fb.me',
  'flipkart.com',
  'forms.gle',
  'g.page',
  'github.com',
  'gitlab.com',
  'goo.gl',
  'gumroad.com',
  'indiegogo.com',
  'instagram.com',
  'itunes.apple.com',
  'kickstarter.com',
  'linktr.ee',
  'lnkd.in',
  'm.me',
  'maps.google.com',
  'medium.com',
  'meetup.com',
  'npmjs.com',
  'opensea.io',
  'patreon.com',
  'pinterest.com',
  'play.google.com',
  'producthunt.com',
  'quora.com',
  'reddit.com',
  'sites.google.com',
  'slideshare.net',
  'soundcloud.com',
  'spotify.com',
  'substack.com',
  't.co',
  't.me',
  'telegram.me',
  'threads.net',
  'tiktok.com',
  'tinyurl.com',
  'trello.com',
  'trustpilot.com',
  'twitch.tv',
  'twitter.com',
  'upwork.com',
  'vimeo.com',
  'vk.com',
  'wa.me',
  'web.archive.org',
  'wellfound.com',
  'whatsapp.com',
  'wikipedia.org',
  'x.com',
  'xing.com',
  'yelp.com',
  'youtu.be',
  'youtube.com',
];

/** Services with a host in many countries, such as amazon.co.uk. */
const NATIONAL =
  /(?:^|\.)(?:amazon|ebay|etsy|facebook|google|pinterest|tripadvisor|yelp)\.(?:com?\.)?[a-z]{2,3}$/;

/** Checks whether a host or one of its parent domains is listed. */
const isIn = (hosts: ReadonlySet<string>, host: string): boolean => {
  const labels = host.split('.');
  return labels.some((_, at) => hosts.has(labels.slice(at).join('.')));
};

const shared = new Set(sharedHosts);
const profiles = new Set(profileHosts);

/** Checks whether a host is shared. @param host - normalised */
export const isSharedHost = (host: string): boolean => NATIONAL.test(host) || isIn(shared, host);

/** Checks whether a host has profiles of the network. @param host - normalised */
export const isProfileHost = (host: string): boolean => isIn(profiles, host);
