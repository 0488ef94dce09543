/*
 * A fingerprint of the C library's mathematical functions. See mathematics.h.
 *
 * The library chooses its routines by the processor: with fused multiply-add they give other last bits at one
 * argument in some thousands. The first twelve arguments of each function are such ones, as far as a search of
 * 200,000 found any (glibc 2.36, with and without FMA); the others are taken at random, for other libraries.
 */
#include "base/numbers/mathematics.h"

#include "base/hash.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { ARGUMENTS = 16 };

typedef struct function_of_one {
  double (*function)(double);
  double at[ARGUMENTS];
} function_of_one;

typedef struct function_of_two {
  double (*function)(double, double);
  double at[ARGUMENTS][2];
} function_of_two;

static const function_of_one of_one[] = {
    {exp,
     {0x1.155ceb7e9d6c2p+3, 0x1.05fc5481c7bf4p+4, 0x1.f9070de7dc230p+0, 0x1.84b3ac63ff458p+2, -0x1.5ff0827fa6928p+1,
      -0x1.3fcc80cbbf7e2p+4, 0x1.04f19432db2f2p+4, 0x1.5d742002ad008p+2, 0x1.8eb7be4ae8790p+2,
      -0x1.299916a85a596p+3, -0x1.eb623dab35490p+3, 0x1.1d29c2bc6aec6p+4, -0x1.9f8de5b27da0ap+3,
      0x1.d2fd09b0a4754p+3, 0x1.ed2f3edf8c3c8p+3, -0x1.2f08bd33268dap+3}},
    {exp2,
     {-0x1.8e23d344b285cp+3, 0x1.221699ea0cf38p+4, -0x1.34ed30c8071b4p+2, -0x1.367a9382c3dd8p+3,
      -0x1.3d4770a2e756cp+2, 0x1.22669b94ac856p+4, 0x1.6bdbeec397e82p+3, -0x1.ac6910ade65a0p+3,
      -0x1.7fa3170662a7ap+2, -0x1.e5926bc70e7c0p-2, 0x1.d818a6b5418a8p+2, -0x1.ae4f11d604590p+3,
      -0x1.0e19748caa684p+4, -0x1.b03372477f500p-4, -0x1.d6c670ae41a20p+0, 0x1.dd6a8de0858c8p+3}},
    {expm1,
     {0x1.115c817835744p+0, 0x1.37bf6b7b1b1d0p-2, -0x1.ac33d1500aa70p-2, 0x1.b05110635fee0p-3,
      -0x1.16e0da9792930p-3, -0x1.8692de12994b0p-2, 0x1.3b6709b6eef28p+1, 0x1.28c3730b2e46ap+1,
      -0x1.d19e79c74b76ap+0, 0x1.f295e8742e5c0p-4, 0x1.557a15519fdd0p-2, -0x1.b8896d2b9d680p-3,
      -0x1.23cca5036b0a0p-3, 0x1.54ec73681f5dcp+1, 0x1.65b06445e5798p+0, -0x1.0c438d819a876p+1}},
    {log,
     {0x1.5dd7fede53970p+0, 0x1.26dc5a08c6dc2p+2, 0x1.55b9f4b79b20cp+5, 0x1.eb4a2920eb655p+4, 0x1.85ff8ba49cd7ap+3,
      0x1.dc94f7882a5ddp-1, 0x1.e3e82fde7baa4p+3, 0x1.3c40efa1690dbp+4, 0x1.07a1ff4166b95p+3, 0x1.3d010a1cb148ap+4,
      0x1.badd58b849453p+4, 0x1.3cbd51356a63dp+5, 0x1.7e985a79f2905p+5, 0x1.bfc21d357b6d3p+3, 0x1.c32a6866ea708p+4,
      0x1.4f861450a080dp+5}},
    {log2,
     {0x1.5bdbce2974cadp+2, 0x1.2232d23c60ff9p+5, 0x1.0bd6e1a739370p+3, 0x1.fbee0dc7f237ep+4, 0x1.0b11319e22d8fp+5,
      0x1.f525af2cffdb0p+3, 0x1.84e077fa7c600p+5, 0x1.075f99f575c93p+0, 0x1.2d8eee8f01e11p+1, 0x1.13fc8b9a85ae8p+0,
      0x1.c6f4211ed133fp+3, 0x1.1cbe6b1325a58p+0, 0x1.470513f52bff8p+4, 0x1.3ffe342b8c5ffp+5, 0x1.10acf483962acp+4,
      0x1.ce51b665e09ddp+4}},
    {log10,
     {0x1.f333099dda15cp+3, 0x1.6b826ff119379p+3, 0x1.18ccae1cd75a4p+1, 0x1.9c348a4be53a6p+0, 0x1.5a397cac534eep+3,
      0x1.206c1f7f1f0fbp+5, 0x1.67d6850ec4e05p+1, 0x1.2cbf3c749c72dp+5, 0x1.9ac1f9bddcfecp+4, 0x1.8d08c365631f4p+4,
      0x1.d5801a9edd50ep+4, 0x1.bf8b439db441cp+3, 0x1.f35dafe3d6013p+1, 0x1.e48cdbe77918ep+4, 0x1.627ed4f0eb0fdp+5,
      0x1.678df7ea2dcaap+1}},
    {log1p,
     {0x1.019475df7b21dp-1, 0x1.33da5491ae7c1p-1, -0x1.40f47e1ff1874p-2, 0x1.1c3b5ae684b2dp+2, 0x1.bcd47a47def7ap-2,
      0x1.24d2b8ef6888fp-1, 0x1.c8b2d21964bc4p+0, -0x1.59c63b58901b7p-1, 0x1.2f8a80a034ac3p+2,
      -0x1.2ce4799aa934ep-2, 0x1.3a07dc4afb2cep+2, 0x1.b35afebd90eb2p-2, 0x1.ebd80df591c35p-1, 0x1.417eb822a3cfcp+1,
      -0x1.fe1ceac18c1a0p-6, 0x1.dc388061c62e5p+1}},
    {sin,
     {-0x1.bb5873dd6cc40p+1, 0x1.994f1161aab88p+3, 0x1.8aee37ee2ca50p+3, -0x1.b193c65964496p+3,
      0x1.9874f874bd8d4p+3, 0x1.00d4df53217d0p+2, -0x1.fe5a8855a7665p+3, -0x1.f997836e2b862p+3,
      -0x1.34abc60885824p+4, 0x1.7cd7adb18f450p+1, 0x1.67f5e0022e2eap+4, 0x1.5b4fc2f17668ap+4,
      -0x1.a70a6bbc88fd0p+3, -0x1.8bf16dab09b6ap+4, -0x1.4e1b4d41538b4p+4, -0x1.c729c5d438ae1p+3}},
    {cos,
     {-0x1.b7fc860c19ee1p+4, 0x1.73246d5ca6f08p+4, 0x1.7aa72c7427c88p+4, -0x1.72f30e7dc78ccp+3,
      0x1.dacaf75c10430p+4, -0x1.088c7de8eb12cp+2, 0x1.a4460bd45f846p+4, -0x1.6bc11ff0d656cp+3,
      -0x1.d5ed62a4d163ap+4, 0x1.ccff24433dafcp+3, 0x1.75a83584a5dfcp+4, 0x1.754fa56227bc2p+4,
      -0x1.7f13b7617e2e8p+4, -0x1.6a2110e316c56p+4, 0x1.b09426b0fb908p+3, 0x1.a32d1f49936c4p+3}},
    {tan,
     {0x1.c547b5e3b277cp+4, 0x1.d49ee1c961368p+3, -0x1.d9c33b9b17fc4p+2, -0x1.8e7337adc7630p+3,
      -0x1.eddbc2ad82150p+3, 0x1.d15d3b2ed3a28p+3, -0x1.97f9f63dd7aacp+4, -0x1.a32fc5587abf4p+3,
      0x1.0631cdc6a91b6p+4, 0x1.7f77c9cee5890p+0, -0x1.b5eb70fb6634ep+3, -0x1.dafa78a20f51cp+3,
      -0x1.765779162cd08p+2, -0x1.be3d11d5210b3p+4, 0x1.962e440ffdb10p+3, 0x1.623a1da301b2cp+4}},
    {asin,
     {0x1.264fd1c1b2308p-3, 0x1.bef3cc9d0b090p-2, 0x1.7941baa803030p-2, 0x1.8673c8b330da0p-3, 0x1.3ef3125a10890p-4,
      0x1.def55e1a64770p-3, -0x1.ac4b2a5634b6cp-1, 0x1.87dbc8a31af92p-1, -0x1.c358ecd526760p-2,
      -0x1.7d14347a89e90p-4, 0x1.e49f9d5516d48p-2, 0x1.ef40237437e80p-3, 0x1.e5c0b54099004p-2, 0x1.7b79eea5ad84ep-1,
      0x1.1d356f3d5af10p-4, -0x1.be84740649400p-8}},
    {acos,
     {0x1.ef5371e933ca2p-1, 0x1.77e963dca8228p-2, 0x1.0e3706534034ap-1, 0x1.afafec38bc058p-1, 0x1.d6c6014bc1e6cp-1,
      0x1.fd73ee9100da0p-4, 0x1.848f825d9dd7ep-1, -0x1.ee834b1027630p-3, 0x1.ca56f1f22bd18p-1, 0x1.dc5b85a0d96cap-1,
      0x1.e84e13b5f2f2ap-1, 0x1.e9a25cc2c6ef8p-1, 0x1.8da3780cd3960p-1, 0x1.7a1cf6d7f2a3cp-1, 0x1.dd6e051fd36e8p-3,
      0x1.4d8917d42a6e4p-1}},
    {atan,
     {-0x1.03387682adff4p+3, 0x1.53459e2330c00p-4, 0x1.78790c58a5ff0p+2, -0x1.8a4b1a623ee65p+2,
      -0x1.e59afc6881173p+2, 0x1.7a5cc86314216p+2, -0x1.1f2ccb2d886c0p-1, -0x1.4a99158ebcf00p-4,
      -0x1.3f864db81d10ep+3, -0x1.3507a8db53a09p+3, -0x1.efadb4211ec52p+1, -0x1.05031cea12b00p-2,
      0x1.4155cceea05e0p-2, -0x1.c041385803b00p-2, -0x1.cf2c596c15a00p-6, -0x1.0697e6fea5607p+3}},
    {sinh,
     {-0x1.1fd89c9d47d0fp+2, -0x1.65d3e3e362650p-2, 0x1.7e7587b8b32c0p-2, -0x1.6aec3a42f3fb0p-2,
      0x1.638cd8274fd20p-2, -0x1.c56d4c68cc02cp+0, -0x1.eb8f2c93fbf80p-3, 0x1.9e2a21b4fc610p+1,
      -0x1.d46f0311c757ap+0, 0x1.eb4c6e6c0bef8p+1, 0x1.6c22ced33f4c0p-3, -0x1.8db1a6c20d400p-3,
      -0x1.af2d2b47e8c30p-1, 0x1.1d7b64b418b10p-1, 0x1.80423a1ccd274p+0, -0x1.d443e5aa8b020p+0}},
    {cosh,
     {-0x1.1d1fe7b347430p+2, -0x1.5ed91322dbe28p+1, -0x1.027595f0c67cap+2, -0x1.c78c449a50e68p+0,
      -0x1.bb34ad1aa8904p+1, -0x1.b1a89cc735aa6p+0, 0x1.ea5dd5100a2c4p+1, 0x1.cfe3479374244p+0,
      0x1.7330f0b6d0ea8p+1, -0x1.010372d3d40d0p+2, -0x1.940d86e145c14p+1, 0x1.dcf6c23ed5980p+1,
      -0x1.8143de130bf79p+1, -0x1.8b2b58e6afb06p+1, -0x1.b617eca9f48b8p-1, -0x1.3d9f513969eacp+2}},
    {tanh,
     {-0x1.f90399d0395c0p-4, -0x1.679f34682f260p-4, -0x1.7711ad4b725c0p-5, 0x1.277e480be9bd0p+0,
      -0x1.0ab9ac8a56d58p-2, -0x1.50fed3008e0c0p-3, 0x1.439a8edace4c0p-3, -0x1.33710ed6a8e40p-3,
      -0x1.43800d115a480p-5, -0x1.f885bf3ce0540p-4, -0x1.049054ad4be60p-3, 0x1.154c94c541100p-3,
      -0x1.03d994822a33cp+1, -0x1.20907ec763964p+1, -0x1.8f783e5809180p-6, -0x1.1d6139870b820p+1}},
    {cbrt,
     {0x1.4cad0b92b8334p+4, -0x1.218f1de434479p+5, 0x1.117a337249e56p+5, -0x1.ed064f6929cf3p+4,
      0x1.71edbcbbe21dap+5, -0x1.3338c7c7d7268p+5, -0x1.37db6995eb4eep+5, 0x1.39fc8635bd314p+4,
      0x1.2f911112549bap+5, -0x1.1131fa087c724p+4, 0x1.4dcdd0ec411c4p+4, 0x1.6f93273e20ee6p+5,
      -0x1.25cae38860051p+5, -0x1.13ced3314e520p+3, -0x1.7313da6eb50e4p+5, 0x1.2b42e5fb07e8cp+4}}};

static const function_of_two of_two[] = {{pow,
                                          {{0x1.554b0f55322fap+1, -0x1.a38403c7a5528p+0},
                                           {0x1.21a57d6a7e554p+0, 0x1.1aaa1fbc47112p+1},
                                           {0x1.1b82dc03cc520p+2, 0x1.e884c06fe914cp+0},
                                           {0x1.e6839af3ac1c1p+0, 0x1.4953872c7a0bcp+1},
                                           {0x1.6fde6c83cccdep+2, 0x1.5d02dd3cfd8c2p+1},
                                           {0x1.5f89c72567446p+2, 0x1.4963893e5488ap+1},
                                           {0x1.371997345a988p+3, 0x1.80fbe3a4a7dd2p+1},
                                           {0x1.1da7544173ab3p+1, 0x1.382c3efb85e02p+1},
                                           {0x1.517d56ac471e3p+2, 0x1.17e2c7dba03aap+1},
                                           {0x1.6bc9258c5c511p+1, -0x1.5151138b65b2cp+1},
                                           {0x1.6088cf2ec95e4p+2, -0x1.28fa90d5186f8p+0},
                                           {0x1.d18f45ecba501p+2, 0x1.1a0bd23471ffcp+0},
                                           {0x1.2acbee5d96b7bp+3, 0x1.5225b6abe2560p+1},
                                           {0x1.d46bcafbb38d0p+1, -0x1.227f1bbe35ca8p+1},
                                           {0x1.56f53d2ca4216p+2, 0x1.14a620ba1a09cp+1},
                                           {0x1.01b158cd8730bp+3, 0x1.5b1130b3e887cp+1}}},
                                         {atan2,
                                          {{-0x1.951d5ce1d38fcp+1, -0x1.b30ca6fca4530p-1},
                                           {0x1.b3b6050d4a0f8p+1, 0x1.cc17c65416d92p+1},
                                           {0x1.57c73fcd52278p+0, 0x1.6df0f80da81bcp+0},
                                           {0x1.01d5966bf2e6cp+2, 0x1.f56c5b213c7b0p-2},
                                           {-0x1.e292a04f6de40p-3, 0x1.f8c5d4daa69f0p+0},
                                           {-0x1.54f49adc22960p-3, 0x1.ed97e3d6b701cp+0},
                                           {-0x1.e3d2e8c378a10p-2, 0x1.5b1e1ea3ee5b4p+0},
                                           {-0x1.d50b938cffb25p+1, -0x1.0d098f6c8cbccp+0},
                                           {0x1.27de25dc96190p-1, 0x1.1d79798919f54p+1},
                                           {0x1.bce53bb470630p-1, 0x1.f5d7f5f024192p+1},
                                           {0x1.b451697a4ecf0p-1, 0x1.cf010cfbf16a8p+1},
                                           {0x1.f2a69adcf4e44p+0, 0x1.25b631a9a4aeap+1},
                                           {0x1.0ec23180e47e0p+2, -0x1.271adb046069ep+1},
                                           {-0x1.ed91c7bda0d20p-1, -0x1.ceedcac15210cp+1},
                                           {0x1.004c1ada2ba06p+2, 0x1.80a28377e7a68p-1},
                                           {0x1.2cef942f80a88p-1, 0x1.8f1fa2866b640p-1}}},
                                         {hypot,
                                          {{-0x1.7dff7f25378fcp+1, -0x1.a0d111ce9add8p+1},
                                           {0x1.de4aa59b57fd0p+1, 0x1.f2591025d0422p+1},
                                           {-0x1.ed993455335d8p+1, -0x1.f4f5459b0d806p+1},
                                           {0x1.c5772d303f820p-3, 0x1.72f1ab7d1689ep+1},
                                           {-0x1.b9f7ad647ac78p+0, -0x1.45322ce996a10p-1},
                                           {0x1.60be91421bb6cp+0, -0x1.0972382e300b8p+0},
                                           {0x1.266b5646406dcp+1, 0x1.526b2c393c064p+1},
                                           {0x1.77f0dbd716980p+0, 0x1.a85de334f3c42p+1},
                                           {0x1.2d0f515e7a4e8p+1, 0x1.1404a9029ba9ap+1},
                                           {0x1.d503b9b8c4818p+1, -0x1.0d7d6e879cf88p+0},
                                           {0x1.9915082266338p+1, -0x1.8dfb15dee3840p-3},
                                           {0x1.898852c492050p+1, -0x1.38b515876474cp+1},
                                           {0x1.e979d630a8b48p+0, -0x1.84115910003f0p-1},
                                           {-0x1.3979ff82a5ffap+2, -0x1.c1604d205c2a8p-1},
                                           {-0x1.26d0976831590p-2, 0x1.f7d0c4740053cp+0},
                                           {-0x1.0f7bf409e4e9ap+2, 0x1.af5c13d64032cp+1}}}};

/* The arguments are volatile, so that the compiler does not take its own mathematics for the library's. */
uint64_t mathematics_fingerprint(void)
{
  uint64_t hash = 0;
  for (size_t k = 0; k < sizeof of_one / sizeof *of_one; k++) {
    double values[ARGUMENTS];
    for (int n = 0; n < ARGUMENTS; n++) {
      volatile double x = of_one[k].at[n];
      values[n] = of_one[k].function(x);
    }
    hash = hash_bytes(hash, values, sizeof values);
  }
  for (size_t k = 0; k < sizeof of_two / sizeof *of_two; k++) {
    double values[ARGUMENTS];
    for (int n = 0; n < ARGUMENTS; n++) {
      volatile double x = of_two[k].at[n][0], y = of_two[k].at[n][1];
      values[n] = of_two[k].function(x, y);
    }
    hash = hash_bytes(hash, values, sizeof values);
  }
  return hash;
}

bool mathematics_of_sections(const section_list *list, uint64_t *fingerprint)
{
  const section *part = section_find(list, MATHEMATICS_SECTION);
  if (!part || strcmp(part->type, "i64") != 0 || part->rows != 1 || part->columns != 1) return false;
  memcpy(fingerprint, part->data, sizeof *fingerprint);
  return true;
}
