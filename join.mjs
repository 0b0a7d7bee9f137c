import sharp from 'sharp';
const [,, o, ...i]=process.argv;
const m=await Promise.all(i.map(async f=>({f, ...(await sharp(f).metadata())})));
let left=0; const parts=m.map(x=>{const p={input:x.f,left,top:0}; left+=x.width+16; return p;});
await sharp({create:{width:left,height:Math.max(...m.map(x=>x.height)),channels:3,background:'#888'}}).composite(parts).png().toFile(o);
