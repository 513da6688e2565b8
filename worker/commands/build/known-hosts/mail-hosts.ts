// Mail hosts that the packages lack, relays, and hosts of companies that the packages list by mistake.

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Mail for the customers of internet providers, portals and mail services, by region. */
export const moreMailHosts: readonly string[] = words(`
  passport.com zohomail.com zohomail.eu zohomail.in startmail.com disroot.org riseup.net autistici.org tuta.com tuta.io
  tutanota.com tutanota.de tutamail.com keemail.me posteo.de posteo.net mailfence.com dismail.de ctemplar.com skiff.com
  kolabnow.com countermail.com soverin.net systemli.org mailo.com criptext.com hushmail.me vfemail.net naver.co kakao.com
  fastmail.com fastmail.fm fastmail.to fastmail.co.uk fastmail.net fastmail.org internet-mail.org duck.com proton.me
  protonmail.com protonmail.ch pm.me hey.com mailbox.org gmx.email gmx.us email.de e-mail.de mail.de mailde.de
  f-m.fm mm.st sent.as sent.at imap.cc imapmail.org mailworks.org letterboxes.org elitemail.org 123mail.org 150mail.com
  16mail.com 2-mail.com 50mail.com fea.st fast-email.com fast-mail.org fastest.cc airmail.cc ssl-mail.com swift-mail.com
  internet-e-mail.com imap-mail.com reallyfast.info speedymail.org your-mail.com theinternetemail.com themail.com
  openmailbox.org directbox.com shortmail.com certifiedmail.com greatmail.com email.org email.biz email.ua mail.ua mail.lv
  mail.fr mail.ch mail.vu mail.dk mail.com.tr e-mail.com.tr china.com my.com thexyz.ca thexyz.fr thexyz.net thexyz.org
  net-c.be net-c.ca net-c.com net-c.es net-c.fr net-c.it net-c.lu net-c.nl net-c.pl netc.eu netc.fr netc.it netc.pl
  netcmail.com sbcglobal.com gmail.ru gmail.com.br
  bigpond.net bigpond.au virginbroadband.com.au inet.net.au tpg.com.au dodo.com.au internode.on.net adam.com.au aapt.net.au netspace.net.au exetel.com.au
  slingshot.co.nz orcon.net.nz vodafone.co.nz ihug.co.nz paradise.net.nz clear.net.nz inspire.net.nz

  1und1.de vodafone.de vodafonemail.de o2online.de o2mail.de unity-mail.de unitybox.de netcologne.de nexgo.de ewetel.net
  ewe.net alice-dsl.net alice-dsl.de alice.de versanet.de osnanet.de htp-tel.de superkabel.de kabelmail.de kabelbw.de
  mnet-online.de mnet-mail.de teleos-web.de gelsennet.de wtnet.de swbmail.de nordkom.de t-online.eu magenta.de
  addcom.de center-mail.de centermail.de totalmail.de wolke7.net online-home.de gmx-topmail.de iremail.de
  aon.at chello.at inode.at utanet.at liwest.at tele2.at drei.at kabsi.at a1.net a1business.at sms.at
  sunrise.ch hispeed.ch swissonline.ch quickline.ch quickline.com bluewin.com gmx.li vtxnet.ch vtxmail.ch citycable.ch
  bbox.fr numericable.fr numericable.com cegetel.net 9online.fr 9business.fr dbmail.com libertysurf.fr alicepro.fr
  evhr.net guideo.fr nordnet.fr worldonline.fr aol.fr neuf.fr noos.fr voila.fr caramail.com
  fastwebnet.it fastweb.it vodafone.it tim.it aruba.it pec.it pecimprese.it legalmail.it arubapec.it postecert.it
  teletu.it kataweb.it supereva.it tiscalinet.it iol.it wind.it windtre.it blu.it
  ono.com movistar.es euskaltel.net euskalnet.net telecable.es mundo-r.com jazztel.es jazzfree.com vodafone.es orange.es
  telefonica.net wanadoo.es ya.com auna.com menta.net
  clix.pt iol.pt netcabo.pt netvisao.pt nos.pt meo.pt telepac.pt mail.telepac.pt vodafone.pt net.novis.pt
  caiway.nl caiway.net kpnplanet.nl ziggo.nl xs4all.nl tele2.nl hccnet.nl chello.nl upcmail.nl casema.nl quicknet.nl online.nl
  solcon.nl telfort.nl zeelandnet.nl multiweb.nl tiscali.nl wxs.nl kabelfoon.nl upc.nl versatel.nl vodafone.nl vodafonethuis.nl
  scarlet.nl telfortglasvezel.nl xms.nl
  proximus.be scarlet.be brutele.be base.be pandora.be edpnet.be belgacom.net voo.be
  telia.com comhem.se tele2.se swipnet.se bredband.net bredband2.com bahnhof.se glocalnet.net ownit.nu home.se passagen.se
  telia.dk stofanet.dk tdcadsl.dk youmail.dk webspeed.dk post.tele.dk post3.tele.dk mail.tele.dk privat.dk jubii.dk
  jubiipost.dk ofir.dk cool.dk get2net.dk profibermail.dk fibermail.dk
  online.no start.no broadpark.no lyse.net getmail.no frisurf.no bluezone.no haugnett.no epost.no ebnett.no bbnett.no
  altibox.no tele2.no c2i.net losmail.no adsl.no chello.no mimer.no netcom.no sensewave.com telenor.no
  saunalahti.fi elisanet.fi kolumbus.fi pp.inet.fi netti.fi luukku.com suomi24.fi dnainternet.net sci.fi phnet.fi welho.com
  simnet.is internet.is visir.is
  btinternet.com btopenworld.com plusnet.com plus.com force9.co.uk uk2.net lineone.net zen.co.uk sky.com talktalk.net virgin.net ntlworld.com
  blueyonder.co.uk tesco.net madasafish.com onetel.com onetel.net supanet.com f2s.com waitrose.com fsworld.co.uk
  freeuk.com uwclub.net eircom.net iol.ie oceanfree.net vodafone.ie sky.ie
  wp.eu op.pl vp.pl tlen.pl poczta.fm poczta.onet.pl poczta.onet.eu onet.eu interia.eu interia.com neostrada.pl vectra.pl
  onet.com.pl vip.onet.pl opoczta.pl spoko.pl autograf.pl buziaczek.pl amorki.pl go2.pl plusnet.pl upcpoczta.pl
  volny.cz quick.cz tiscali.cz iol.cz upcmail.cz o2active.cz cbox.cz razdva.cz email.cz atlas.cz post.cz
  zoznam.sk azet.sk pobox.sk stonline.sk orangemail.sk chello.sk szm.sk mail.t-com.sk
  chello.hu upcmail.hu citromail.hu indamail.hu vipmail.hu euromail.hu lajt.hu invitel.hu tvn.hu
  upcnet.ro rdslink.ro clicknet.ro home.ro rdsmail.ro
  dir.bg gbg.bg mail.bg net-surf.net abv.bg
  inet.hr net.hr vip.hr optinet.hr zg.t-com.hr siol.net t-2.net amis.net telemach.net eunet.rs open.telekom.rs
  ptt.rs sbb.rs mts.rs bih.net.ba teol.net t-home.mk
  otenet.gr hol.gr forthnet.gr in.gr pathfinder.gr freemail.gr windowslive.gr cytanet.com.cy primehome.com
  ttmail.com ttnet.net.tr superonline.com mynet.com turk.net
  internet.ru bk.ru inbox.eu inbox.lt one.lt takas.lt delfi.ee hot.ee online.ee mail.ee apollo.lv tut.by tut.ua meta.ua
  3g.ua box.ua ua.fm search.ua km.ru ro.ru aport.ru nextmail.ru myrambler.ru autorambler.ru fax.ru xaker.ru
  bigmir.net i.ua ukrpost.net online.ua e-mail.ua qip.ru nm.ru hotbox.ru pochta.com newmail.ru rambler.ua lenta.ru

  spectrum.net suddenlink.net mediacombb.net myfairpoint.net consolidated.net wavecable.com grandecom.net surewest.net
  atmc.net ntelos.net comporium.net metrocast.net hargray.com knology.net bendbroadband.com tampabay.rr.com brighthouse.com
  copper.net foothills.net townisp.com tempmail.com tempmail.net
  roadrunner.com twc.com zoominternet.net armstrongmywire.com clearwire.net hughes.net starband.net wildblue.net viasat.net
  netscape.net usa.com frontiernet.net citlink.net verizon.com.do ptd.net epix.net sonic.net dslextreme.com
  eastlink.ca sasktel.net mts.net mymts.net nb.aibn.com nbnet.nb.ca nl.rogers.com bellaliant.net bellmts.net ns.sympatico.ca
  nb.sympatico.ca videotron.qc.ca telusplanet.net uniserve.com execulink.com primus.ca teksavvy.com vianet.ca xplornet.com
  xplornet.ca distributel.net acanac.net

  infinitummail.com prodigy.net.mx telmex.net cablevision.net.mx axtel.net une.net.co etb.net.co emcali.net.co tutopia.com
  cantv.net movistar.net.ve vtr.net entel.cl manquehue.net tie.cl arnet.com.ar ciudad.com.ar speedy.com.ar fibertel.com.ar
  telecentro.com.ar infovia.com.ar adinet.com.uy montevideo.com.uy speedy.com.pe ec.ec superig.com.br globomail.com
  oi.com.br veloxmail.com.br brturbo.com.br bol.com.br click21.com.br pop.com.br ibest.com.br onda.com.br netsite.com.br
  codetel.net.do racsa.co.cr ice.co.cr coqui.net

  nifty.com biglobe.ne.jp so-net.ne.jp zaq.ne.jp jcom.zaq.ne.jp mesh.ad.jp odn.ad.jp dti.ne.jp emnet.ne.jp kcn.ne.jp tiki.ne.jp
  iij4u.or.jp 2iij.net infoweb.ne.jp auone-net.jp mopera.net infoseek.co.jp biz.ezweb.ne.jp bbtec.net gol.com
  hanafos.com hananet.net nownuri.net thrunet.com netsgo.com
  goo.jp bbexcite.jp excite.co.jp infoseek.jp nifty.ne.jp ocn.ne.jp odn.ne.jp plala.or.jp so-net.jp asahi-net.or.jp
  dion.ne.jp hi-ho.ne.jp eonet.ne.jp commufa.jp megaegg.ne.jp pikara.ne.jp bbiq.jp tokai.or.jp t-com.ne.jp
  au.com uqmobile.jp ymobile.ne.jp willcom.com disney.ne.jp vodafone.ne.jp jp-t.ne.jp i.softbank.jp emobile.ne.jp
  mineo.jp rakumail.jp docomonet.jp livedoor.com
  hanmail2.net hanmir.com dreamwiz.com chol.com chollian.net freechal.com hitel.net kornet.net korea.com lycos.co.kr
  empas.com empal.com paran.com unitel.co.kr netian.com
  189.cn 139.com wo.cn wo.com.cn 21cn.com 21cn.net tom.com sohu.com sina.cn vip.sina.com vip.163.com vip.126.com vip.qq.com
  foxmail.com aliyun.com 263.net 2980.com 3126.com 126.net citiz.net vip.21cn.com sogou.com eyou.com email.cn exmail.com msn.cn yeah.net
  pchome.com.tw hinet.net seed.net.tw msa.hinet.net ms1.hinet.net so-net.net.tw url.com.tw giga.net.tw
  netvigator.com biznetvigator.com hkbn.net ctimail.com starhub.net.sg pacific.net.sg singnet.com.sg streamyx.com
  tm.net.my pldtdsl.net pldt.net skybroadband.com.ph globelines.com.ph cbn.net.id telkom.net indo.net.id
  csloxinfo.com truemail.co.th loxinfo.co.th ji-net.com vnn.vn hcm.vnn.vn hn.vnn.vn fpt.vn
  bsnl.in airtelmail.in dataone.in vsnl.com vsnl.net sancharnet.in mtnl.net.in eth.net rediff.com in.com sify.com
  sltnet.lk cyber.net.pk wol.net.pk

  bezeqint.net 012.net.il 013.net 015.net.il netvision.net.il zahav.net.il inter.net.il barak.net.il smile.net.il actcom.co.il
  nana10.co.il walla.co.il emirates.net.ae eim.ae qatar.net.qa batelco.com.bh kuwait.net saudi.net.sa nesma.net.sa
  menanet.net link.net tedata.net.eg cyberia.net.lb idm.net.lb terra.net.lb sodetel.net.lb index.com.jo
  mweb.co.za telkomsa.net vodamail.co.za vodacom.net webmail.co.za iafrica.com absamail.co.za polka.co.za lantic.net
  menara.ma iam.net.ma topnet.tn gnet.tn planet.tn orange.sn orange.ci
`);

/** Aliases that forward mail. Users get addresses at subdomains of most of them. */
export const relayHosts: readonly string[] = words(`
  privaterelay.appleid.com relay.firefox.com mozmail.com duck.com simplelogin.com simplelogin.co simplelogin.fr
  slmail.me slmails.com aleeas.com 8alias.com 8shield.net silomails.com dralias.com anonaddy.com anonaddy.me addy.io
  addymail.com 33mail.com passmail.net passmail.com passinbox.com passfwd.com burnermail.io erine.email
  opayq.com ivmail.com cloaked.id cloak.id mailinator.com messagingengine.com users.noreply.github.com
  forwardemail.net improvmx.com mailer.me inbox.testmail.app e4ward.com spamgourmet.com sneakemail.com
  guest.booking.com marketplace.amazon.com members.ebay.com reply.craigslist.org reply.facebook.com msgs.airbnb.com
`);

/** Companies, authorities and schools whose own people have addresses at their host. */
export const companyHosts: readonly string[] = words(`
  alibaba.com ancestry.com berlin.de bt.com cornells.com discovery.com dublin.ie enel.net example.com gateway.net
  handbag.com homestead.com infomart.or.jp ivillage.com law.com mailup.net manager.de medscape.com name.com
  naplesnews.net nus.edu.sg onmilwaukee.com postmark.net sfgov.net singpost.com space.com techspot.com telstra.com test.com
  test.de unican.es upf.org usma.net
`);
