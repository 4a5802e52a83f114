// Words that common passwords consist of. password-rules.ts covers digit and key runs, repetitions and look-alike
// letters.

export const COMMON_WORDS: ReadonlySet<string> = new Set(
  `
  password passwort passwd pass passw pwd motdepasse contrasena senha parola haslo wachtwoord losenord salasana hasło пароль
  welcome willkommen bienvenue admin administrator root user username login logmein letmein letmeinnow open opensesame sesame
  access default guest test tester testing temp temporary changeme changeit secret private master mypass mypassword thepassword
  qwerty qwertz azerty qwer asdf zxcv asdfgh zxcvbn qazwsx qwe asd zxc poiuyt lkjhgf mnbvcx abc abcd abcde abcdef aaa
  iloveyou iloveu loveyou loveme lovely love lover lovers iloveme ilove imissyou forever foreveryoung always together
  sweet sweetie sweetheart honey baby babygirl babyboy angel angels princess prince queen king kings beautiful pretty cutie
  sunshine sunny summer winter spring autumn fall january february march april may june july august september october november
  december monday tuesday wednesday thursday friday saturday sunday weekend holiday christmas easter halloween birthday
  monkey dragon tiger lion eagle falcon hawk wolf wolves bear panda puppy kitty kitten cat cats dog dogs horse pony dolphin
  shark snake spider butterfly bird rabbit bunny turtle elephant giraffe penguin phoenix unicorn dinosaur cheetah panther
  football soccer baseball basketball hockey tennis golf golfer rugby cricket volleyball swimming running racing fishing hunting
  yankees cowboys lakers steelers patriots eagles giants redsox raiders packers broncos dolphins bulls celtics warriors rangers
  liverpool chelsea arsenal manchester manutd barcelona realmadrid juventus bayern dortmund ajax benfica milan inter everton
  superman batman spiderman ironman wolverine deadpool joker harley avengers marvel captain america hulk thor wonderwoman
  starwars startrek skywalker vader yoda jedi sith matrix neo trinity morpheus hobbit gandalf frodo potter harrypotter hermione
  pokemon pikachu charizard naruto sasuke sakura goku vegeta onepiece luffy mario luigi zelda link sonic kirby tetris pacman
  minecraft fortnite roblox warcraft starcraft diablo overwatch valorant counterstrike counter strike halo fallout skyrim doom
  quake rust ark csgo dota league legends leagueoflegends callofduty cod battlefield gta playstation xbox nintendo gamer gaming
  game games gameserver server servers directory steam discord twitch player players noob killer hunter sniper soldier warrior
  ninja samurai pirate viking knight wizard magic mystery shadow ghost phantom vampire zombie demon devil lucifer satan heaven
  hell god jesus jesuschrist christ christian church faith hope blessed blessing grace peace freedom liberty justice truth
  trustno trustme trust nobody nothing something everything whatever anything whoknows idontknow dontknow forgot remember forget
  hello helloworld hi hey goodbye byebye morning night goodnight thankyou thanks please sorry friend friends bestfriend family
  mother father mommy daddy mama papa mom dad sister brother son daughter grandma grandpa husband wife girl boy girls boys
  michael jennifer jessica ashley daniel matthew joshua andrew anthony william robert thomas richard charles joseph david james
  john george edward steven kevin brian jason justin brandon ryan nicholas jonathan christopher patrick alexander alexandra
  alexis alex samantha amanda melissa michelle nicole stephanie elizabeth victoria vanessa rebecca rachel sarah laura hannah
  emily emma olivia sophia isabella charlotte amelia maria marie anna julia natalie daniela andrea martina carlos jose juan
  miguel pedro antonio francisco fernando roberto eduardo ricardo alejandro gabriel rafael lucas mateo diego santiago sebastian
  marcus martin peter paul simon oliver harry jack charlie oscar max felix leon lukas jonas tobias florian stefan thomas andreas
  maggie buster bailey buddy rocky lucky princess shadow ginger pepper cookie cookies oreo coco bella daisy molly lucy sophie
  zoe chloe tinkerbell snoopy garfield scooby mickey mickeymouse minnie donald donaldduck goofy disney simpsons homer bart
  google facebook youtube twitter instagram snapchat whatsapp tiktok netflix amazon apple microsoft windows linux ubuntu android
  iphone samsung nokia sony dell hewlett toshiba computer internet online website network wireless router modem keyboard mouse
  mustang corvette camaro ferrari porsche mercedes benz bmw audi volkswagen toyota honda yamaha suzuki kawasaki ducati harley
  davidson chevy chevrolet ford dodge jeep truck trucks nissan mazda subaru lexus jaguar maserati lamborghini
  chocolate banana orange apple apples cherry strawberry blueberry peaches mango lemon coffee pizza cheese chicken bacon burger
  butter sugar candy cupcake pumpkin potato tomato pickle noodle sandwich whiskey vodka tequila budweiser heineken corona
  red blue green yellow purple pink black white silver gold golden diamond diamonds ruby sapphire emerald crystal rainbow
  flower flowers rose roses lily violet jasmine daisy garden nature forest mountain river ocean beach island paradise sunset
  moon moonlight star stars starlight sky galaxy universe planet earth mars jupiter saturn pluto comet apollo nasa rocket
  music guitar piano drums metal metallica nirvana slipknot eminem tupac beatles queen acdc ironmaiden linkinpark greenday
  rock rocknroll hiphop rapper dancer dancing singer disco party techno trance concert song melody harmony
  newyork london paris berlin madrid rome moscow tokyo sydney toronto chicago boston dallas houston miami texas california
  florida america american england english france germany german deutschland spain espana italy italia portugal brazil brasil
  mexico canada australia india indian china chinese japan japanese korea russia poland polska turkey turkiye
  money dollar dollars cash rich million millionaire billion business success winner winners champion champions victory power
  powerful strong strength fighter boxing karate muscle fitness gym police fireman army navy marines airforce military sergeant
  captain general major doctor nurse teacher student school college university office manager boss work job company
  fuck fuckyou fuckme fuckoff fucker motherfucker shit bullshit bitch asshole dick pussy sex sexy sexygirl hot hottie porn naked
  crazy stupid idiot loser freak psycho insane cool awesome amazing perfect super great best number first one two three
  alpha beta gamma delta omega sigma echo foxtrot tango zulu maverick goose top gun iceman blackhawk cobra viper python java
  cheese mittens whiskers smokey midnight silver thunder lightning storm hurricane tornado blizzard snow snowball snowman ice
  fire flame flames blaze inferno dark darkness darkside light lights bright spirit soul heart hearts dream dreams dreamer
  rosebud jordan michaeljordan kobe lebron messi ronaldo cristiano neymar beckham maradona zidane federer tiger woods
  trustno1 ncc1701 thx1138 abc123 a1b2c3 1q2w3e q1w2e3 p4ssw0rd pa55word blink182 rush2112 se7en 0u812 8675309
  `
    .trim()
    .split(/\s+/),
)
